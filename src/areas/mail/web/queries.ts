import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { mail } from './api.ts'

/** GET /settings/mail */
export const useMail = () =>
  useQuery({ queryKey: ['mail', 'settings'], queryFn: ({ signal }) => run(mail.readMail(), signal) })

/** GET /settings/mail/queue */
export const useMailQueue = () =>
  useQuery({ queryKey: ['mail', 'queue'], queryFn: ({ signal }) => run(mail.readQueue(), signal) })

/** POST /settings/mail/test */
export const useMailTest = () =>
  useMutation({
    mutationFn: (to: string) => run(mail.testMail({ body: { to } })),
    onSettled: () => readAgain('mail'),
  })
