import { createHash } from 'node:crypto'

/** An attachment of a message of the stand-in. */
export interface StandInAttachment {
  readonly id: string
  readonly name: string
  readonly contentType: string
  readonly kind: 'fileAttachment' | 'itemAttachment' | 'referenceAttachment'
  readonly data: Buffer
}

/** A message of the stand-in; `seq` tells when it was last changed. */
export interface StandInMessage {
  readonly id: string
  subject: string | null
  isRead: boolean
  readonly attachments: readonly StandInAttachment[]
  readonly receivedDateTime: string
  seq: number
  /** A change of it alone is told without the other properties. */
  isOnlyRead: boolean
  /** The bytes of one that was imported. */
  readonly mime?: Buffer
  readonly messageId?: string
}

/** A folder of the stand-in, with the messages that have left it, by the time of that. */
export interface StandInFolder {
  readonly id: string
  displayName: string
  readonly parentFolderId: string
  readonly isTop: boolean
  readonly messages: Map<string, StandInMessage>
  readonly removed: Map<string, number>
}

export interface StandInUser {
  readonly id: string
  readonly address: string
  readonly hasMailbox: boolean
  readonly folders: StandInFolder[]
}

/** A name as the service makes them: it has an equals sign, and its letters count. */
export const idOf = (text: string): string => `AAMk${createHash('sha1').update(text).digest('base64url')}AAA=`

/** The mailboxes of a directory, and what people do with them. */
export class Mailboxes {
  readonly users: StandInUser[] = []
  seq = 0

  addUser(address: string, hasMailbox = true): StandInUser {
    const user = { id: `user-${this.users.length + 1}`, address, hasMailbox, folders: [] }
    this.users.push(user)
    if (hasMailbox) for (const name of ['Inbox', 'Sent Items', 'Deleted Items']) this.addFolder(user, name)
    return user
  }

  addFolder(user: StandInUser, displayName: string, parent?: StandInFolder): StandInFolder {
    const parentFolderId = parent?.id ?? idOf(`${user.address} root`)
    const folder: StandInFolder = {
      id: idOf(`${user.address} ${displayName} ${parentFolderId}`),
      displayName,
      parentFolderId,
      isTop: parent === undefined,
      messages: new Map(),
      removed: new Map(),
    }
    user.folders.push(folder)
    return folder
  }

  addMessage(
    folder: StandInFolder,
    subject: string | null,
    attachments: readonly Omit<StandInAttachment, 'id'>[] = [],
  ): StandInMessage {
    const id = idOf(`${folder.id} ${this.seq}`)
    const message = {
      id,
      subject,
      isRead: false,
      attachments: attachments.map((each, index) => ({ ...each, id: idOf(`${id} ${index}`) })),
      receivedDateTime: new Date(Date.UTC(2026, 0, 1) + this.seq * 60_000).toISOString(),
      seq: ++this.seq,
      isOnlyRead: false,
    }
    folder.messages.set(id, message)
    return message
  }

  /** Adds a message that comes with its bytes. */
  importMessage(folder: StandInFolder, mime: Buffer): StandInMessage {
    const head = mime.subarray(0, 4000).toString()
    const [, subject = ''] = /^Subject: =\?utf-8\?B\?(\S*)\?=\r?$/m.exec(head) ?? []
    const [, messageId] = /^Message-ID: (\S+)\r?$/m.exec(head) ?? []
    const added = this.addMessage(folder, Buffer.from(subject, 'base64').toString())
    const message = { ...added, mime, ...(messageId !== undefined && { messageId }) }
    folder.messages.set(message.id, message)
    return message
  }

  change(message: StandInMessage, changes: Partial<Pick<StandInMessage, 'subject' | 'isRead'>>): void {
    Object.assign(message, changes, { seq: ++this.seq, isOnlyRead: Object.keys(changes).join() === 'isRead' })
  }

  remove(folder: StandInFolder, message: StandInMessage): void {
    folder.messages.delete(message.id)
    folder.removed.set(message.id, ++this.seq)
  }

  move(from: StandInFolder, to: StandInFolder, message: StandInMessage): void {
    this.remove(from, message)
    Object.assign(message, { seq: ++this.seq, isOnlyRead: false })
    to.messages.set(message.id, message)
    to.removed.delete(message.id)
  }
}

/** The bytes of a message, as the service sends them. */
export function mimeOf({ id, subject, attachments, mime }: StandInMessage): Buffer {
  if (mime !== undefined) return mime
  const boundary = `boundary-${id.slice(4, 12)}`
  const head = [
    'From: Dana <dana@example.org>',
    'To: Adele <adele@example.com>',
    `Subject: =?utf-8?B?${Buffer.from(subject ?? '').toString('base64')}?=`,
    `Message-ID: <${id}@example.com>`,
    'MIME-Version: 1.0',
  ]
  if (attachments.length === 0)
    return text([...head, 'Content-Type: text/html; charset=utf-8', '', `<p>${subject} é</p>`, ''])
  const parts = attachments.flatMap(({ contentType, data }) => [
    `--${boundary}`,
    `Content-Type: ${contentType}`,
    'Content-Disposition: attachment',
    'Content-Transfer-Encoding: base64',
    '',
    data.toString('base64'),
  ])
  const plain = [`--${boundary}`, 'Content-Type: text/plain', '', 'body']
  const type = `Content-Type: multipart/mixed; boundary="${boundary}"`
  return text([...head, type, '', ...plain, ...parts, `--${boundary}--`, ''])
}

const text = (lines: readonly string[]): Buffer => Buffer.from(lines.join('\r\n'))
