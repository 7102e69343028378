import type { Bulk } from '../../../web/kit/bulk/bulk-action.ts'
import { readAgain } from '../../../web/queries.ts'
import type { Website } from '../model.ts'
import { websites } from './api.ts'

/** The actions on selected websites. */
export const websiteBulk: Bulk<Website> = {
  noun: ['website', 'websites'],
  nameOf: ({ domain }) => domain,
  onDone: () => readAgain('websites'),
  actions: [
    {
      label: 'Suspend',
      note: 'The websites answer 503 until they are unsuspended.',
      appliesTo: ({ is_suspended }) => !is_suspended,
      isCutOff: true,
      call: ({ id }) => websites.suspendWebsite({ params: { id } }),
    },
    {
      label: 'Unsuspend',
      note: 'The websites are served again.',
      appliesTo: ({ is_suspended }) => is_suspended,
      call: ({ id }) => websites.unsuspendWebsite({ params: { id } }),
    },
    {
      label: 'Delete',
      note: 'The websites are no longer served. Their files stay.',
      isDestructive: true,
      call: ({ id }) => websites.deleteWebsite({ params: { id }, query: { files: 'keep' } }),
    },
  ],
}
