import { defineErrors } from '#core/errors.ts';

export const keyErrors = defineErrors({
  bootstrap_locked: {
    status: 401,
    detail: 'Missing API key',
    cause: 'The bootstrap header no longer counts: an admin key exists, or existed.',
    fix: 'Use an admin key, or run `npm run keys -- create --admin` on the host.',
    retry: false,
  },
  wrong_bootstrap_secret: {
    status: 401,
    detail: 'Invalid API key',
    cause: 'The bootstrap header does not hold the configured secret, or none is configured.',
    fix: 'Set ADMIN_BOOTSTRAP_SECRET on the server and send the same value.',
    retry: false,
  },
  owner_required: {
    status: 403,
    detail: 'Owner secret or admin key required',
    cause: 'The key itself is not enough: whoever finds it could lock its owner out.',
    fix: 'Send the `owner_secret` that was returned with the key, or ask the operator.',
    retry: false,
  },
  key_not_restorable: {
    status: 422,
    detail: "Key '{id}' cannot be activated: {reason}",
    cause: 'The key works, or it ended by its own expiry.',
    fix: 'Create a new key.',
    retry: false,
  },
  key_not_rotatable: {
    status: 422,
    detail: "Key '{id}' cannot be rotated: {reason}",
    cause: 'The key has ended, or has a successor already that has not.',
    fix: 'Rotate the key in `successor_id`; when its text is lost, deactivate that one first.',
    retry: false,
  },
});
