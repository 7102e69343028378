import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { backups } from '../backups/index.ts'
import { licence } from '../licence/index.ts'
import { plugins } from '../plugins/index.ts'
import { type Context, openMailboxBackup } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createMailboxBackup } from './migrations/202611281700-mailbox-backup.ts'
import { createMailboxVerifications } from './migrations/202611290130-mailbox-verifications.ts'
import * as model from './model.ts'
import { RestoreDraft } from './restore/model.ts'
import { restoringMessages } from './restore/restore.ts'
import { runningBackup } from './run/run.ts'
import { feature, plugin } from './switches.ts'
import { MailboxVerification, MailboxVerifications } from './verify/model.ts'
import { verifyingBackups } from './verify/verify.ts'

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
    MailboxVerification,
    MailboxVerifications,
  },
  jobs: [runningBackup, restoringMessages, verifyingBackups],
  migrations: [createMailboxBackup, createMailboxVerifications],
  steps: ({ mailboxBackup: { run, restore, verify } }: Context) => [run, restore, verify],
  uses: [backups, licence, plugins],
  open: (deps: Deps): Context => ({ mailboxBackup: openMailboxBackup(deps) }),
})
