import { local } from '../../core/endpoint.ts'
import { data, succeeded } from '../../core/reply.ts'
import { notTaken } from '../../host/apply/problems.ts'
import { QueueUnreadable, TestFailed } from '../../tools/exim/index.ts'
import { endpoint } from './context.ts'
import { MailDraft, MailQueue, MailSettings, MailTest, MailTested } from './model.ts'
import * as verbs from './mail.ts'

const ofThisHost = local('each host has a mail server of its own')

export const readMail = endpoint({
  method: 'GET',
  path: '',
  summary: 'Read how the mail of this host is delivered',
  effect: 'reads',
  reply: data(MailSettings),
  run: ({ mail }) => verbs.readMail(mail),
})

export const changeMail = endpoint({
  method: 'POST',
  path: '',
  summary: 'Set the relay for the mail of this host, the sign-in to it, and the sender of mail of root',
  description: 'Fields that are left out stay as they are. Exim is restarted if its configuration changes.',
  effect: 'changes',
  category: ofThisHost,
  body: MailDraft,
  reply: succeeded,
  timeoutMs: 180_000,
  throws: { config_failed: notTaken },
  run: ({ mail, body }) => verbs.changeMail(mail, body),
})

export const readQueue = endpoint({
  method: 'GET',
  path: '/queue',
  summary: 'List the messages that wait to be delivered',
  effect: 'reads',
  reply: data(MailQueue),
  throws: { queue_failed: QueueUnreadable },
  run: ({ mail }) => verbs.readQueue(mail),
})

export const testMail = endpoint({
  method: 'POST',
  path: '/test',
  summary: 'Send a test message, and wait for the first attempt to deliver it',
  effect: 'changes',
  category: ofThisHost,
  body: MailTest,
  reply: data(MailTested),
  timeoutMs: 150_000,
  throws: { mail_failed: TestFailed },
  run: ({ mail, body }) => verbs.testMail(mail, body),
})
