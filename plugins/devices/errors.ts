import { defineErrors } from '#core/errors.ts';

/** Errors of routes that accept health data. */
export const deviceErrors = defineErrors({
  consent_required: {
    status: 422,
    detail: 'Consent is required',
    cause: 'Health data are taken only from a person who agreed to it, and the request does not say so.',
    fix: 'Ask the person, and send `consent=true` in the place that `detail[]` names.',
    retry: false,
  },
});
