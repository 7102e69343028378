import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openAddresses, openFetch } from '../../host/fetch/index.ts'
import { hangMs } from '../../../test/support/until.ts'
import {
  createFolder,
  importMessage,
  listAttachments,
  listFolders,
  listMessages,
  listUsers,
  openGraph,
  type Patience,
  readChanges,
  readMessages,
} from './index.ts'
import { type StandInGraph, standInGraph } from './testing/stand-in.ts'

describe('Microsoft Graph', () => {
  let server: StandInGraph
  before(async () => {
    server = await standInGraph()
    const { mail } = server
    for (const name of ['ada', 'bob', 'carol', 'dan']) mail.addUser(`${name}@example.com`)
  })
  beforeEach(() => {
    server.refusals.length = 0
    server.relink = undefined
  })
  after(() => server.close())
  const signal = () => AbortSignal.timeout(hangMs)
  const graph = (clientSecret = server.secret, patience: Partial<Patience> = {}) => {
    const doors = {
      fetch: openFetch(openAddresses()),
      graphUrl: server.url,
      loginUrl: server.url,
      patience: { firstPauseMs: 1, ...patience },
    }
    return openGraph({ tenantId: 't', clientId: 'c', clientSecret }, doors)
  }

  test('reads lists to their end', async () => {
    const opened = graph()
    assert.equal((await listUsers(opened, signal())).length, 4)
    const folders = await listFolders(opened, 'user-1', signal())
    assert.deepEqual(
      folders.map(({ path }) => path),
      ['Inbox', 'Sent Items', 'Deleted Items'],
    )
  })

  test('tells why the sign-in was refused', async () => {
    await assert.rejects(listUsers(graph('wrong'), signal()), /AADSTS7000215: Invalid client secret/)
  })

  test('repeats what the server is too busy for, and gives up in the end', async () => {
    server.refusals.push(429, 503, 504, 429)
    assert.equal((await listUsers(graph(), signal())).length, 4)
    server.refusals.push(...Array.from({ length: 12 }, () => 503))
    await assert.rejects(listUsers(graph(), signal()), /answered 503: ApplicationThrottled/)
    server.refusals.length = 0
    server.refusals.push(403)
    await assert.rejects(listUsers(graph(), signal()), /answered 403/)
  })

  test('signs in again once where a token was withdrawn, also after the server was too busy', async () => {
    server.refusals.push(429, 401)
    assert.equal((await listUsers(graph(), signal())).length, 4)
    server.refusals.push(401, 429, 401)
    await assert.rejects(listUsers(graph(), signal()), /answered 401/)
  })

  test('waits as long as the server says, in seconds or until a time, and not as long as it would itself', async () => {
    const anHour = { firstPauseMs: 3_600_000, mostPauseMs: 3_600_000 }
    for (const retryAfter of ['0', 'Thu, 01 Jan 2026 00:00:00 GMT']) {
      server.retryAfter = retryAfter
      server.refusals.push(429)
      assert.equal((await listUsers(graph(undefined, anHour), signal())).length, 4)
    }
    server.retryAfter = '0'
  })

  test('asks less often for what the server cannot send', async () => {
    server.refusals.push(...Array.from({ length: 12 }, () => 500))
    await assert.rejects(listUsers(graph(), signal()), { status: 500 })
    assert.equal(server.refusals.length, 6)
  })

  test('has a path for any id', async () => {
    await assert.rejects(listFolders(graph(), 'a\ud800/../b', signal()), { status: 404 })
  })

  test('gives up as soon as its patience is over', async () => {
    server.refusals.push(503, 503)
    await assert.rejects(listUsers(graph(undefined, { attempts: 2 }), signal()), /answered 503/)
  })

  test('follows no link to another server, and no list without an end', async () => {
    server.relink = () => 'https://attacker.example/v1.0/users'
    await assert.rejects(
      listUsers(graph(), signal()),
      /a link to another server: https:\/\/attacker\.example/,
    )
    server.relink = (link) => link.replace('/v1.0/', '/beta/')
    await assert.rejects(listUsers(graph(), signal()), /a link to another server/)
    server.relink = (link) => link.replace(/%24skip=\d+|\$skip=\d+/, '$skip=0')
    await assert.rejects(listUsers(graph(), signal()), /has no end/)
  })

  test('reads the changes of a folder since the last round', async () => {
    const opened = graph()
    const [user] = server.mail.users
    const [inbox] = user!.folders
    const first = await readChanges(opened, { userId: user!.id, folderId: inbox!.id }, undefined, signal())
    const message = server.mail.addMessage(inbox!, 'Hello')
    const place = { userId: user!.id, folderId: inbox!.id }
    const later = await readChanges(opened, place, first.delta, signal())
    assert.deepEqual(
      later.messages.map(({ id, subject }) => [id, subject]),
      [[message.id, 'Hello']],
    )
    server.mail.change(message, { isRead: true })
    const last = await readChanges(opened, place, later.delta, signal())
    assert.deepEqual(last.messages, [{ id: message.id, isRead: true }])
    const whole = await readMessages(opened, user!.id, [message.id, 'gone'], signal())
    assert.deepEqual(
      whole.map(({ subject, isRead }) => [subject, isRead]),
      [['Hello', true]],
    )
    server.forgetsDeltas = true
    await assert.rejects(readChanges(opened, place, last.delta, signal()), { status: 410 })
    server.forgetsDeltas = false
  })

  test('keeps no link to another server for the next round', async () => {
    const [user] = server.mail.users
    const place = { userId: user!.id, folderId: user!.folders[1]!.id }
    server.relink = (link) => link.replace('127.0.0.1', 'localhost')
    await assert.rejects(readChanges(graph(), place, undefined, signal()), /a link to another server/)
    server.relink = undefined
  })

  test('makes folders, and puts messages into them with their bytes', async () => {
    const opened = graph()
    const user = server.mail.addUser('erin@example.com')
    const at = { userId: user.id, parentId: undefined }
    const parentId = await createFolder(opened, { ...at, name: 'Restored' }, signal())
    const folderId = await createFolder(opened, { ...at, parentId, name: 'a/b' }, signal())
    await assert.rejects(createFolder(opened, { ...at, name: 'RESTORED' }, signal()), { status: 409 })
    const mime = Buffer.from('Message-ID: <1@example.com>\r\n\r\n\xff', 'latin1')
    for (let count = 0; count < 7; count += 1)
      await importMessage(opened, { userId: user.id, folderId }, mime, signal())
    const found = await listMessages(opened, { userId: user.id, folderId }, signal())
    assert.deepEqual(
      found.map(({ internetMessageId }) => internetMessageId),
      Array.from({ length: 7 }, () => '<1@example.com>'),
    )
    const [first] = user.folders.at(-1)!.messages.values()
    assert.deepEqual(first?.mime, mime)
    const paths = (await listFolders(opened, user.id, signal())).map(({ path }) => path)
    assert.deepEqual(paths.slice(-2), ['Restored', 'Restored/a∕b'])
  })

  test('repeats an import that was not begun, and none that may have been done', async () => {
    const opened = graph()
    const user = server.mail.addUser('frank@example.com')
    const place = { userId: user.id, folderId: user.folders[0]!.id }
    const mime = Buffer.from('Subject: a\r\n\r\n')
    server.refusals.push(429, 503)
    await importMessage(opened, place, mime, signal())
    assert.equal(user.folders[0]!.messages.size, 1)
    const before = server.requests.length
    server.refusals.push(504)
    await assert.rejects(importMessage(opened, place, mime, signal()), { status: 504 })
    assert.equal(server.requests.length, before + 1)
    server.mostImportBytes = 3
    await assert.rejects(importMessage(opened, place, mime, signal()), { status: 413 })
    server.mostImportBytes = Infinity
  })

  test('lists the attachments of many messages in their order', async () => {
    const [, bob] = server.mail.users
    const ids = Array.from({ length: 25 }, (_, index) => {
      const data = Buffer.from('x')
      const attachment = {
        name: `${index}`,
        contentType: 'text/plain',
        kind: 'fileAttachment' as const,
        data,
      }
      return server.mail.addMessage(bob!.folders[0]!, `${index}`, [attachment]).id
    })
    const lists = await listAttachments(graph(), bob!.id, [...ids, 'gone'], signal())
    assert.deepEqual(
      lists.map(([first]) => first?.name),
      [...ids.map((_, index) => `${index}`), undefined],
    )
  })
})
