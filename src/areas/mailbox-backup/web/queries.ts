import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Call } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { mailboxBackup } from './api.ts'

/** GET /mailbox-backup/config */
export const useMailboxSettings = () =>
  useQuery({
    queryKey: ['mailbox-backup', 'config'],
    queryFn: ({ signal }) => run(mailboxBackup.readMailboxSettings(), signal),
  })

/** GET /mailbox-backup/users */
export const useMailboxUsers = () =>
  useQuery({
    queryKey: ['mailbox-backup', 'users'],
    queryFn: ({ signal }) => run(mailboxBackup.listMailboxUsers(), signal),
  })

/** GET /mailbox-backup/status, polled while the page is visible. */
export const useMailboxStatus = () =>
  useQuery({
    queryKey: ['mailbox-backup', 'status'],
    queryFn: ({ signal }) => run(mailboxBackup.readMailboxStatus(), signal),
    refetchInterval: 5000,
  })

/** GET /mailbox-backup/logs */
export const useMailboxLog = () =>
  useQuery({
    queryKey: ['mailbox-backup', 'logs'],
    queryFn: ({ signal }) => run(mailboxBackup.readMailboxLog(), signal),
  })

/** GET /mailbox-backup/verifications */
export const useVerifications = () =>
  useQuery({
    queryKey: ['mailbox-backup', 'verifications'],
    queryFn: ({ signal }) => run(mailboxBackup.readMailboxVerifications(), signal),
  })

/** What of a mailbox is shown. */
export interface Shown {
  readonly folder?: string
  readonly search?: string
  readonly page: number
}

/** GET /mailbox-backup/messages/{email} */
export const useMessages = (email: string, query: Shown) =>
  useQuery({
    queryKey: ['mailbox-backup', 'messages', email, query],
    queryFn: ({ signal }) => run(mailboxBackup.listMailMessages({ params: { email }, query }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /mailbox-backup/messages/{email}/{msgId}/attachments */
export const useAttachments = (email: string, msgId: string) =>
  useQuery({
    queryKey: ['mailbox-backup', 'attachments', email, msgId],
    queryFn: ({ signal }) => run(mailboxBackup.listMailAttachments({ params: { email, msgId } }), signal),
  })

/** Makes a call, and reads the pages of the area again at its end. */
export const carryOut = <Answer>(wanted: Call<Answer>): Promise<Answer> =>
  run(wanted).finally(() => readAgain('mailbox-backup'))
