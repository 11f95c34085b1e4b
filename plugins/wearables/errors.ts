import { defineErrors } from '#core/errors.ts';

/** Errors of resumable uploads; the statuses are those of the tus protocol. */
export const wearableErrors = defineErrors({
  upload_offset_conflict: {
    status: 409,
    detail: 'The upload stands at another byte',
    cause: 'More or less of it has come than the request says, or another request goes on with it.',
    fix: 'Ask with HEAD where it stands, and go on there.',
    retry: true,
  },
  export_waiting: {
    status: 409,
    detail: 'An export of yours is being read already. Wait until it is done.',
    cause: 'One export of a device is read at a time.',
    fix: 'Try again once /wearables/status says that nothing is being read.',
    retry: true,
  },
  tus_version_unsupported: {
    status: 412,
    detail: 'Uploads in parts follow the tus protocol, version 1.0.0',
    cause: 'The request has no Tus-Resumable header, or names another version.',
    fix: 'Send `Tus-Resumable: 1.0.0`.',
    retry: false,
  },
});
