import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { hostState, leftovers } from './story/host-state.ts'
import { SignedIn } from './story/signed-in.ts'
import type { Answer, Owner } from './story/signed-in.ts'
import { tarGz } from './story/tar.ts'
import { visit } from './story/visit.ts'

const domain = 'ada.example.com'
const page = '<h1>as it was</h1>\n'

describe('bad input', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let bob: Owner
  let siteId: number
  const create = (body: object, by = ada.signedIn) =>
    by.ask('POST', '/api/websites', { type: 'static', ...body })

  before(async () => {
    host = await bootHost('bad', { memoryDisk: '400m' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    ada = await admin.makeOwner('ada')
    bob = await admin.makeOwner('bob')
    siteId = (
      await ada.signedIn.must('POST', '/api/websites', {
        domain,
        type: 'static',
        aliases: ['www.ada.example.com'],
      })
    ).id
    await bob.signedIn.must('POST', '/api/websites', { domain: 'bob.example.com', type: 'static' })
    await ada.signedIn.must('POST', '/api/filemanager/write', {
      username: 'ada',
      path: `sites/${domain}/public/index.html`,
      content: page,
    })
    await host.must(['useradd', '--create-home', 'eve']) // an account of the host that the panel did not make
  })
  after(() => host?.remove())

  const noDomains = [
    '.example.com',
    '-a.example.com',
    'a.example.com\nb',
    'a.example.com; return 200 x',
    'a.example.com}',
    'a b.example.com',
    'a.*.example.com',
    '../example.com',
    'a..example.com',
    `${'a'.repeat(64)}.com`,
    '',
    '$host',
    'localhost',
    '~^(.*)$',
    'Ä.example.com:80',
  ]
  for (const name of noDomains)
    it(`refuses ${JSON.stringify(name)} as a domain, as an alias and in a list of aliases`, async () => {
      await refused(await unchanged(() => create({ domain: name })), 400, 'bad_request', /domain/)
      await refused(
        await unchanged(() => create({ domain: 'free.example.com', aliases: [name] })),
        400,
        'bad_request',
        /aliases/,
      )
      await refused(
        await unchanged(() => ada.signedIn.ask('PATCH', `/api/websites/${siteId}`, { aliases: [name] })),
        400,
        'bad_request',
        /aliases/,
      )
      await refused(
        await unchanged(() => ada.signedIn.ask('POST', `/api/websites/${siteId}/aliases`, { name })),
        400,
        'bad_request',
        /name/,
      )
    })

  it('refuses a wildcard as a domain', async () => {
    await refused(await unchanged(() => create({ domain: '*.example.com' })), 400, 'bad_request', /domain/)
  })

  it('refuses names that belong to a website already', async () => {
    for (const body of [{ domain: 'bob.example.com' }, { domain }, { domain: 'www.ada.example.com' }])
      await refused(
        await unchanged(() => create(body)),
        400,
        'bad_request',
        /domain: .* belongs to another website/,
      )
    await refused(
      await unchanged(() => create({ domain: 'free.example.com', aliases: ['bob.example.com'] })),
      400,
      'bad_request',
      /aliases: bob\.example\.com/,
    )
    await refused(
      await unchanged(() =>
        bob.signedIn.ask('POST', '/api/websites/2/aliases', { name: 'www.ada.example.com' }),
      ),
      400,
      'bad_request',
      /www\.ada\.example\.com/,
    )
  })

  it('refuses owners who are root, a system account, nobody or somebody else', async () => {
    for (const username of ['root', 'www-data', 'eve', 'nobody', 'missing'])
      await refused(
        await unchanged(() => create({ domain: 'free.example.com', username }, admin)),
        400,
        'bad_request',
        /username: /,
      )
    await refused(
      await unchanged(() => create({ domain: 'free.example.com' }, admin)),
      400,
      'bad_request',
      /username: /,
    )
    for (const username of ['bob', 'root'])
      await refused(
        await unchanged(() => create({ domain: 'free.example.com', username })),
        403,
        'forbidden',
        /username: /,
      )
    for (const username of ['-x', 'a b', 'A', 'a;b', '../ada'])
      await refused(
        await unchanged(() => create({ domain: 'free.example.com', username }, admin)),
        400,
        'bad_request',
        /username/,
      )
  })

  it('refuses files of root, of system accounts and of somebody else', async () => {
    for (const username of ['root', 'www-data', 'eve'])
      await refused(
        await admin.ask('GET', `/api/filemanager/list?username=${username}`),
        400,
        'bad_request',
        /username: /,
      )
    await refused(
      await unchanged(() =>
        ada.signedIn.ask('POST', '/api/filemanager/write', { username: 'bob', path: 'x', content: 'x' }),
      ),
      403,
      'forbidden',
      /username: /,
    )
    for (const path of ['../bob/x', '/../../etc/cron.d/x', 'a/../../bob/x', 'x\0y'])
      await refused(
        await unchanged(() =>
          ada.signedIn.ask('POST', '/api/filemanager/write', { username: 'ada', path, content: 'x' }),
        ),
        400,
        'bad_request',
        /path/,
      )
  })

  const fields: Readonly<Record<string, readonly [field: string, further: object]>> = {
    write: ['path', { content: 'x' }],
    mkdir: ['path', {}],
    delete: ['paths', {}],
    move: ['src_path', { dst_path: 'there' }],
    copy: ['dst_path', { src_path: '.profile' }],
    rename: ['path', { new_name: 'there' }],
    chmod: ['path', { mode: '644' }],
    lock: ['path', {}],
    unlock: ['path', {}],
    compress: ['paths', { archive_name: 'a.zip' }],
    'compress/job': ['paths', { archive_name: 'a.zip' }],
    extract: ['archive_path', { dst_path: 'there' }],
    'extract/job': ['dst_path', { archive_path: 'a.zip' }],
    'download-url': ['path', { url: 'http://192.0.2.1/x' }],
    'wget-upload': ['path', { url: 'http://192.0.2.1/x' }],
    'history/clear': ['path', {}],
    'vcs/init': ['path', {}],
    'vcs/clone': ['path', { url: 'https://192.0.2.1/x.git' }],
    'vcs/commit': ['path', { message: 'x', all: true }],
    'vcs/revert': ['path', { all: true }],
  }
  const paths = {
    '..': '../x',
    'a step up in it': 'a/../../bob',
    NUL: 'a\0b',
    '5,000 characters': 'a'.repeat(5000),
    'a name of ours': '.hostreeve-trash/x',
  }
  for (const [title, path] of Object.entries(paths))
    it(`refuses a path with ${title} wherever one is taken, names its field, and changes nothing, in a plan either`, async () => {
      const former = await state()
      for (const [name, [field, further]] of Object.entries(fields))
        for (const query of ['', '?plan=1']) {
          const body = { username: 'ada', ...further, [field]: field === 'paths' ? [path] : path }
          const answer = await ada.signedIn.ask('POST', `/api/filemanager/${name}${query}`, body)
          await refused(
            { ...answer, message: `${name}: ${answer.message}` },
            400,
            'bad_request',
            new RegExp(`^${name}: ${field}(\\.0)?: `),
          )
        }
      for (const name of [
        'list',
        'stat',
        'read',
        'download',
        'dirsize',
        'history',
        'vcs',
        'vcs/log',
        'vcs/diff',
        'search?query=x',
      ]) {
        const query = new URLSearchParams({ username: 'ada', path })
        const answer = await ada.signedIn.ask(
          'GET',
          `/api/filemanager/${name}${name.includes('?') ? '&' : '?'}${query}`,
        )
        await refused({ ...answer, message: `${name}: ${answer.message}` }, 400, 'bad_request', /: path: /)
      }
      assert.deepEqual(await state(), former)
    })

  it('refuses modes, names of archives and addresses that are none, under the names of their fields', async () => {
    const post = (name: string, body: object) =>
      unchanged(() => ada.signedIn.ask('POST', `/api/filemanager/${name}`, { username: 'ada', ...body }))
    for (const mode of ['9999', '4755', '2755', '', 'x', '0o644', 644])
      await refused(await post('chmod', { path: '.profile', mode }), 400, 'bad_request', /^mode: /)
    for (const archive_name of [
      'a/b.zip',
      '../x.zip',
      '.',
      '..',
      'x.rar',
      'a\0.zip',
      '.hostreeve-tmp-1.zip',
      '.zip',
    ])
      await refused(
        await post('compress', { paths: ['.profile'], archive_name }),
        400,
        'bad_request',
        /^archive_name: /,
      )
    const urls = [
      'http://ada:secret@example.com/x',
      'http://127.0.0.1:7070/',
      'http://[::1]/',
      'http://2130706433/',
      'http://169.254.169.254/',
      'http://-x/',
    ]
    for (const url of [
      ...urls,
      'http://example.com:0/',
      'file:///etc/passwd',
      'ftp://example.com/x',
      '//example.com',
    ])
      for (const name of ['download-url', 'wget-upload'])
        await refused(await post(name, { url }), 400, 'bad_request', /^url: (?!.*secret)/)
    for (const url of [
      'https://ada:secret@example.com/x.git',
      'http://127.0.0.1/x.git',
      'ssh://-oProxyCommand=id/x',
      'ext::id',
      'file:///etc',
      '-x',
    ])
      await refused(await post('vcs/clone', { path: 'there', url }), 400, 'bad_request', /^url: (?!.*secret)/)
  })

  it('takes a slash at the end of a file, and a folder in the place of a file, for what they are', async () => {
    const get = (name: string, path: string) =>
      ada.signedIn.ask('GET', `/api/filemanager/${name}?username=ada&path=${path}`)
    for (const name of ['stat', 'read', 'download', 'list'])
      await refused(await get(name, '.profile/'), 400, 'bad_request', /^path: \.profile\/ is not a folder/)
    await refused(await get('dirsize', '.profile'), 500, 'dirsize_failed', /^path: \.profile is not a folder/)
    for (const name of ['read', 'download'])
      await refused(await get(name, 'sites'), 400, 'bad_request', /^path: sites is a folder/)
    const write = { username: 'ada', path: 'sites', content: 'x' }
    await refused(
      await unchanged(() => ada.signedIn.ask('POST', '/api/filemanager/write', write)),
      400,
      'bad_request',
      /^path: sites is a folder/,
    )
  })

  const archives = {
    'a name that leads out': tarGz([
      { name: 'fine.txt', content: 'x' },
      { name: '../../../out.txt', content: 'x' },
    ]),
    'an absolute name': tarGz([{ name: '/etc/cron.d/evil', content: 'x' }]),
    'a link that leads out': tarGz([
      { name: 'link', type: '2', linkTo: '/etc' },
      { name: 'link/evil', content: 'x' },
    ]),
    'a link upwards': tarGz([{ name: 'up', type: '2', linkTo: '../../../../../etc/passwd' }]),
    'a hard link to a file outside': tarGz([{ name: 'hard', type: '1', linkTo: '/etc/passwd' }]),
    'a device': tarGz([{ name: 'disk', type: '4' }]),
    'a character device': tarGz([{ name: 'null', type: '3' }]),
    'a fifo': tarGz([{ name: 'pipe', type: '6' }]),
    'damaged data': Buffer.concat([
      tarGz([{ name: 'fine.txt', content: 'x'.repeat(100_000) }]).subarray(0, 100),
      Buffer.from('garbage'),
    ]),
    'no archive at all': Buffer.from('this is no archive\n'.repeat(100)),
    'a bomb': gzipSync(Buffer.concat([tarHeaderOfZeros(200 * 1024 * 1024), Buffer.alloc(200 * 1024 * 1024)])),
  }
  for (const [title, archive] of Object.entries(archives))
    it(`refuses an archive with ${title}, and unpacks nothing of it`, async () => {
      assert.equal(
        (await ada.signedIn.upload({ username: 'ada', path: '' }, 'bad.tar.gz', archive)).status,
        201,
      )
      const body = { username: 'ada', archive_path: 'bad.tar.gz', dst_path: `sites/${domain}/public` }
      await refused(
        await unchanged(() => ada.signedIn.ask('POST', '/api/filemanager/extract', body)),
        400,
        'bad_request',
        /bad\.tar\.gz/,
      )
    })

  it('takes setuid and setgid bits off what it unpacks, and gives it to nobody but the owner', async () => {
    await ada.signedIn.upload(
      { username: 'ada', path: '' },
      'setuid.tar.gz',
      tarGz([
        { name: 'shell', content: '#!/bin/sh\n', mode: 0o6755 },
        { name: 'folder', type: '5', mode: 0o2755 },
      ]),
    )
    const answer = await ada.signedIn.ask('POST', '/api/filemanager/extract', {
      username: 'ada',
      archive_path: 'setuid.tar.gz',
      dst_path: 'unpacked',
    })
    const found = (
      await host.must([
        'find',
        '/home',
        '/etc/nginx',
        '-perm',
        '/6000',
        '-o',
        '-path',
        '/home/ada/unpacked/*',
        '-not',
        '-user',
        'ada',
      ])
    ).stdout
    assert.equal(found, '')
    assert.ok(answer.status === 200 || answer.status === 400, answer.message)
  })

  it('refuses bodies that are no JSON, too large or too deep', async () => {
    const send = (body: string) => () => ada.signedIn.ask('POST', '/api/websites', body)
    await refused(await unchanged(send('{"domain": ')), 400, 'bad_request', /body/)
    await refused(await unchanged(send('[]')), 400, 'bad_request', /body/)
    await refused(await unchanged(send('"free.example.com"')), 400, 'bad_request', /body/)
    await refused(await unchanged(sendLarge), 413, 'payload_too_large', /body|large|bytes/)
    await refused(
      await unchanged(
        send(`{"domain":"free.example.com","type":"static","more":${'['.repeat(1000)}${']'.repeat(1000)}}`),
      ),
      400,
      'bad_request',
      /body: must not be nested/,
    )
    await refused(await unchanged(() => create({ domain: 7 })), 400, 'bad_request', /domain/)
    await refused(
      await unchanged(() => create({ domain: 'free.example.com', type: 'perl' })),
      400,
      'bad_request',
      /type/,
    )
  })

  it('takes no notice of fields that it does not know', async () => {
    const { data, status } = await create({
      domain: 'known.example.com',
      owner: 'root',
      root: '/etc',
      is_admin: true,
      __proto__x: 1,
    })
    assert.equal(status, 201)
    assert.equal(data.root, '/home/ada/sites/known.example.com/public')
    assert.equal(data.username, 'ada')
  })

  it('answers that the disk is full, keeps everything as it was, and works on when there is room again', async () => {
    await host.exec(['dd', 'if=/dev/zero', 'of=/var/fill', 'bs=1M', 'count=1000'])
    await host.exec(['dd', 'if=/dev/zero', 'of=/var/fill2', 'bs=4k', 'count=1000'])
    const former = await state()
    const timeoutMs = 10_000
    for (const work of [
      () =>
        ada.signedIn.ask(
          'POST',
          '/api/websites',
          { domain: 'full.example.com', type: 'static' },
          { timeoutMs },
        ),
      () =>
        ada.signedIn.ask(
          'POST',
          '/api/filemanager/write',
          { username: 'ada', path: 'full.txt', content: 'x'.repeat(100_000) },
          { timeoutMs },
        ),
      () =>
        ada.signedIn.upload({ username: 'ada', path: '' }, 'full.bin', Buffer.alloc(1024 * 1024), {
          timeoutMs,
        }),
      () =>
        admin.ask(
          'POST',
          '/api/users',
          { email: 'full@hosts.test', password: 'a long password', fullname: 'Full', username: 'full' },
          { timeoutMs },
        ),
    ])
      await refused(await work(), 507, 'insufficient_storage', /disk/)
    assert.deepEqual(await state(), former)
    assert.equal((await visit(host, domain)).text, page)
    assert.equal((await panel.request('GET', '/healthz')).status, 200)
    await host.must(['rm', '/var/fill', '/var/fill2'])
    assert.equal((await create({ domain: 'full.example.com' })).status, 201)
    assert.match((await visit(host, 'full.example.com')).text, /<h1>full\.example\.com</)
    assert.equal((await admin.must('GET', '/api/activity/verify')).ok, true)
  })

  /** 2 MiB with curl, which waits for the answer to its headers before it sends so much. */
  async function sendLarge(): Promise<Answer> {
    await writeFile(
      join(host.rootPath, 'root/large.json'),
      `{"domain":"free.example.com","type":"static","more":"${'x'.repeat(2 * 1024 * 1024)}"}`,
    )
    const curl = [
      'curl',
      '-sS',
      '--max-time',
      '10',
      '-w',
      '\n%{http_code}',
      '-H',
      `Authorization: Bearer ${ada.signedIn.token}`,
      '--data-binary',
      '@/root/large.json',
    ] as const
    const { stdout } = await host.must([
      ...curl,
      `http://127.0.0.1:${panel.environment.HOSTREEVE_PORT}/api/websites`,
    ])
    const [body = '', status] = stdout.split('\n')
    const { error } = JSON.parse(body) as { error: { code: string; message: string } }
    return {
      status: Number(status),
      data: undefined,
      code: error.code,
      message: error.message,
      error,
      bytes: Buffer.from(body),
    }
  }

  async function state() {
    const { items } = await admin.must('GET', '/api/websites?per_page=500')
    return { ...(await hostState(host)), websites: items, leftovers: await leftovers(host) }
  }

  /** Runs the work, and asserts that the host and the list of websites are unchanged. */
  async function unchanged(work: () => Promise<Answer>): Promise<Answer> {
    const former = await state()
    const answer = await work()
    assert.deepEqual(await state(), former)
    return answer
  }
})

async function refused(
  { status, code, message }: Answer,
  wanted: number,
  wantedCode: string,
  expected: RegExp,
): Promise<void> {
  assert.deepEqual([status, code], [wanted, wantedCode], message)
  assert.match(message, expected)
}

function tarHeaderOfZeros(sizeBytes: number): Buffer {
  const header = Buffer.alloc(512)
  header.write('zeros.bin', 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
