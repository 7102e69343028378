import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../../core/problem.ts'
import { isHarmless } from './config-keys.ts'
import { UrlRefused } from './problems.ts'
import { parseRemoteUrl, shownUrl } from './remote-url.ts'
import { complaint, scrubber } from './message.ts'

describe('addresses of repositories', () => {
  for (const [text, scheme, host, port] of [
    ['https://example.com/a.git', 'https', 'example.com', 443],
    ['https://Example.com:8443/a/b', 'https', 'Example.com', 8443],
    ['http://192.0.2.1/a', 'http', '192.0.2.1', 80],
    ['http://[2001:DB8:0::1]:81/a', 'http', '2001:db8::1', 81],
    ['ssh://git@example.com/a', 'ssh', 'example.com', 22],
    ['ssh://example.com:2222/~ann/a', 'ssh', 'example.com', 2222],
    ['git@example.com:team/a.git', 'ssh', 'example.com', 22],
    ['example.com:a', 'ssh', 'example.com', 22],
    ['git@[2001:db8::1]:a', 'ssh', '2001:db8::1', 22],
    ["https://example.com/a;b$(c)'d", 'https', 'example.com', 443],
  ] as const) {
    it(`are parsed: ${text}`, () => {
      const url = parseRemoteUrl(text)
      assert.deepEqual([url.text, url.scheme, url.host, url.port], [text, scheme, host, port])
    })
  }

  it('are passed to ssh without a port, which differs in the namespace', () => {
    assert.equal(parseRemoteUrl('ssh://git@example.com:2222/a').withoutPort, 'ssh://git@example.com/a')
    assert.equal(parseRemoteUrl('ssh://git@[2001:db8::1]:2222/a').withoutPort, 'ssh://git@[2001:db8::1]/a')
    assert.equal(parseRemoteUrl('git@example.com:a').withoutPort, undefined)
  })

  const others = [
    'ext::sh -c id',
    'ext::id',
    'fd::7',
    'file:///etc',
    'file::x',
    '/etc',
    './x',
    'x',
    'git://h/x',
    'ftp://h/x',
    'rsync://h/x',
    'git+ssh://h/x',
  ]
  const options = [
    '-x',
    '--upload-pack=id',
    'ssh://-oProxyCommand=id/x',
    'ssh://-l@h/x',
    '-o@h:x',
    '-h:x',
    'h:-x',
    'https://-h/x',
    'https://h-/x',
  ]
  const secrets = [
    'https://ann:pw@h/x',
    'https://token@h/x',
    'http://:@h/x',
    'ssh://ann:pw@h/x',
    'https://a@b@h/x',
    'https://h\\@other/x',
  ]
  const broken = [
    '',
    'https://',
    'https:///x',
    'https://h',
    'https://h/',
    'https://h:0/x',
    'https://h:99999/x',
    'https://h:x/y',
    'https://[::1/x',
    'https://h h/x',
    'https://h/x\n',
    'a/b:c',
    'https://h?x',
    ':x',
    '@h:x',
    'h:',
    `https://h/${'x'.repeat(2000)}`,
  ]
  for (const text of [...others, ...options, ...secrets, ...broken]) {
    it(`are refused: ${text.slice(0, 40)}`, () => {
      assert.throws(
        () => parseRemoteUrl(text),
        (error) => error instanceof Problem && error.kind === UrlRefused && !error.message.includes('pw'),
      )
    })
  }

  it('are shown without user information', () => {
    assert.equal(shownUrl('https://ann:pw@h/x'), 'https://•••@h/x')
    assert.equal(shownUrl('https://ann:p@w@h/x'), 'https://•••@h/x')
    assert.equal(shownUrl('ssh://git@h/x'), 'ssh://git@h/x')
    assert.equal(shownUrl('https://ann:p/w@1@h/x'), 'https://•••@h/x')
    assert.equal(shownUrl('ssh://git:pw@h/x'), 'ssh://•••@h/x')
    for (const plain of ['https://h:8443/a/@b/c', 'https://[::1]:80/a@b', 'https://h/a@b', 'git@h:x', '/etc'])
      assert.equal(shownUrl(plain), plain)
  })
})

describe('keys of a configuration', () => {
  it('of an ordinary repository are harmless', () => {
    const usual = [
      'core.repositoryformatversion',
      'core.bare',
      'remote.origin.url',
      'remote.my.fork.fetch',
      'branch.main.merge',
      'branch.a.b.rebase',
      'user.email',
    ]
    for (const key of [
      ...usual,
      'pull.rebase',
      'lfs.repositoryformatversion',
      'submodule.a/b.url',
      'core.hookspath',
      'branch.x.vscode-merge-base',
    ])
      assert.ok(isHarmless(key), key)
  })

  it('that are unknown are not harmless', () => {
    for (const key of [
      'core.new',
      'new.key',
      'remote.x.new',
      'fetch.bundleuri',
      'diff.x.textconv',
      'gc.recentobjectshook',
      'core',
      '',
      'user.x.name',
      'remote.url',
    ])
      assert.ok(!isHarmless(key), key)
  })
})

describe('what git says', () => {
  it('is stripped of secrets, plain and URL-encoded', () => {
    const scrub = scrubber(['p@ss word', 'line one\nline two'])
    assert.equal(scrub('a p@ss word b p%40ss%20word c line two'), 'a •••••••• b •••••••• c ••••••••')
    assert.equal(scrub('at https://ann:other@h/x'), 'at https://••••••••@h/x')
  })

  it('is reduced to its error message, without control characters', () => {
    assert.equal(complaint('Cloning…\rfatal: no \u001b[31mway\nhint: try\n'), 'no  [31mway')
    assert.equal(complaint('one\ntwo\n'), 'one; two')
  })

  it("is reported with the files that it lists, and with the server's message", () => {
    assert.equal(
      complaint('error: these are in the way:\n\ta b\n\tc\nPlease move\nAborting\n'),
      'these are in the way: a b, c',
    )
    assert.match(complaint(`error: these:\n${'\tx\n'.repeat(50)}`), /^these: (?:x, ){9}x, …$/)
    const said =
      'remote: Counting objects: 100% (2/2), done.\nremote: \nremote: Your token expired\nfatal: Authentication failed'
    assert.equal(complaint(said), 'remote: Your token expired; Authentication failed')
  })

  it('names paths as the caller knows them', () => {
    assert.equal(
      scrubber(['secret'], [['./scratch', 'a$&b']])("Cloning into './scratch' with secret"),
      "Cloning into 'a$&b' with ••••••••",
    )
  })
})
