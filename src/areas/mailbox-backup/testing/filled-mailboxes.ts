import type { Mailboxes, StandInAttachment, StandInUser } from '../../../tools/graph/testing/mailboxes.ts'

const MiB = 1024 * 1024

const file = (name: string, data: Buffer): Omit<StandInAttachment, 'id'> => ({
  ...{ name, contentType: 'application/pdf', kind: 'fileAttachment', data },
})
const item = (name: string): Omit<StandInAttachment, 'id'> => ({
  ...{
    name,
    contentType: 'message/rfc822',
    kind: 'itemAttachment',
    data: Buffer.from(`Subject: ${name}\r\n\r\n`),
  },
})
const names = [
  'Ünïcode 漢字.pdf',
  'a/b\\c.pdf',
  `${'long'.repeat(75)}.pdf`,
  '..',
  '\u202Egnp.exe',
  'line\nbreak.pdf',
  '',
]

/** Adds a mailbox of a hundred messages: nested folders, attachments of 5 MiB, items, odd names, no subject. */
export function addFilledMailbox(mail: Mailboxes, address: string): StandInUser {
  const user = mail.addUser(address)
  const [inbox] = user.folders
  if (inbox === undefined) throw new Error('a mailbox has an inbox')
  let folder = inbox
  for (const name of ['Projects', 'Über/2026', 'Deep', 'Deeper']) folder = mail.addFolder(user, name, folder)
  for (let index = 0; index < 80; index += 1)
    mail.addMessage(
      inbox,
      `Message ${index} of ${address}`,
      index % 10 === 0 ? [file(`file ${index}.pdf`, Buffer.alloc(1000, index))] : [],
    )
  mail.addMessage(folder, null, [file('big.pdf', Buffer.alloc(5 * MiB, address))])
  mail.addMessage(folder, 'With an item', [item('Forwarded'), item('Forwarded')])
  for (const [index, name] of names.entries())
    mail.addMessage(folder, `Odd name ${index}`, [file(name, Buffer.from(`${address} ${index}`))])
  for (let index = 0; index < 11; index += 1) mail.addMessage(folder, `Deep ${index}`)
  return user
}
