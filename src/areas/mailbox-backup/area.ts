import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { backups } from '../backups/index.ts'
import { licence } from '../licence/index.ts'
import { plugins } from '../plugins/index.ts'
import { type Context, openMailboxBackup } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createMailboxBackup } from './migrations/202611281700-mailbox-backup.ts'
import * as model from './model.ts'
import { RestoreDraft } from './restore/model.ts'
import { restoringMessages } from './restore/restore.ts'
import { runningBackup } from './run/run.ts'
import { feature, plugin } from './switches.ts'

export const mailboxBackup = area({
  name: 'mailbox-backup',
  title: 'Mailbox backup',
  base: '/mailbox-backup',
  guard: superuser,
  feature,
  plugin,
  errors: 'message-only',
  endpoints,
  schemas: {
    MailboxSettings: model.MailboxSettings,
    MailboxSettingsDraft: model.MailboxSettingsDraft,
    MailboxUser: model.MailboxUser,
    MailboxRun: model.MailboxRun,
    MailboxStatus: model.MailboxStatus,
    MailMessage: model.MailMessage,
    MailAttachment: model.MailAttachment,
    RestoreDraft,
  },
  jobs: [runningBackup, restoringMessages],
  migrations: [createMailboxBackup],
  steps: ({ mailboxBackup: { run, restore } }: Context) => [run, restore],
  uses: [backups, licence, plugins],
  open: (deps: Deps): Context => ({ mailboxBackup: openMailboxBackup(deps) }),
})
