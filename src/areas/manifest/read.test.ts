import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxManifestBytes } from './model.ts'
import { readManifest } from './read.ts'
import { writeText } from './text.ts'

const site = (rest: string) => `version: 1
websites:
  - domain: a.example.com
    username: ada
    type: static
  - domain: b.example.com
    username: ada
    type: php
${rest}`

test('reads YAML and JSON alike, with the defaults of the endpoints', async () => {
  const yaml = await readManifest(`version: 1
databases:
  - { name: ada_shop, website: Shop.example.com, users: [{ username: ada_shop }] }
firewall_rules:
  - { action: allow, ports: [443, 8000-8100] }
`)
  const json = JSON.stringify({
    version: 1,
    databases: [{ name: 'ada_shop', website: 'shop.example.com', users: [{ username: 'ada_shop' }] }],
    firewall_rules: [{ action: 'allow', ports: [443, '8000-8100'] }],
  })
  assert.deepEqual(yaml, await readManifest(json))
  assert.deepEqual(yaml.databases?.[0], {
    ...{ name: 'ada_shop', website: 'shop.example.com' },
    users: [{ username: 'ada_shop', host: 'localhost' }],
  })
  assert.equal(yaml.firewall_rules?.[0]?.protocol, 'any')
})

test('writes what it reads, with versions in quotes', async () => {
  const manifest = await readManifest(site("    php_version: '8.2'\n    maintenance: true\n"))
  const yaml = await writeText(manifest, 'yaml')
  assert.match(yaml, /php_version: "8\.2"/)
  for (const text of [yaml, await writeText(manifest, 'json')])
    assert.deepEqual(await readManifest(text), manifest)
})

const refused: readonly (readonly [string, RegExp])[] = [
  ['', /^text: must be a mapping/],
  ['- a', /^text: must be a mapping/],
  ['users: []', /^version: is required; it must be 1$/],
  ['version: 2', /^version: must be 1$/],
  [
    'version: 1\nuser: []',
    /^user: is not a field; the fields are version, users, websites, databases, zones,/,
  ],
  [site('    domian: x\n'), /^websites\[1\]\.domian: is not a field; the fields are domain, username, type/],
  [site('    limits: { memory: 5 }\n'), /^websites\[1\]\.limits\.memory: is not a field/],
  [site('    php_version: 8.2\n'), /^websites\[1\]\.php_version: must be a version in quotes/],
  [site('    aliases: [-x]\n'), /^websites\[1\]\.aliases\[0\]: must be a host name/],
  [site('    username: Bob\n'), /^text: Map keys must be unique at line 9, column 5$/],
  [site('  - domain: a\n'), /^websites\[2\]\.(?:username|domain|type): /],
  [
    site('    aliases: [a.example.com]\n'),
    /^websites\[1\]\.aliases\[0\]: a\.example\.com is at websites\[0\]\.domain already$/,
  ],
  ['version: 1\nusers: [{ email: a@b.c, password: hunter2 }]', /^users\[0\]\.password: must be a reference/],
  [
    'version: 1\nusers: [{ email: a@b.c, password: { env: A, file: /b } }]',
    /^users\[0\]\.password: must be either/,
  ],
  [
    'version: 1\nusers: [{ email: a@b.c, password: { env: "A=B" } }]',
    /^users\[0\]\.password\.env: must be the/,
  ],
  [
    'version: 1\nusers: [{ email: a@b.c, permissions: [root] }]',
    /^users\[0\]\.permissions\[0\]: must be a perm/,
  ],
  [
    'version: 1\nusers: [{ email: a@b.c }, { email: A@B.c }]',
    /^users\[1\]\.email: a@b\.c is at users\[0\]\.email/,
  ],
  [
    'version: 1\nzones: [{ name: a.test, rrsets: [{ name: "@", type: soa, records: [{ content: x }] }] }]',
    /^zones\[0\]\.rrsets\[0\]\.type: the panel keeps the SOA/,
  ],
  [
    'version: 1\ndatabases: [{ name: ada_a, website: a.test, users: [{ username: ada_x }] }, { name: ada_b, website: a.test, users: [{ username: ada_x, host: "%" }] }]',
    /^databases\[1\]\.users\[0\]\.username: ada_x belongs to ada_a$/,
  ],
  ['version: 1\nfirewall_rules: [{ action: open }]', /^firewall_rules\[0\]\.action: must be one of allow/],
  [
    'version: 1\nfirewall_rules: [{ action: allow, ports: [70000] }]',
    /^firewall_rules\[0\]\.ports\[0\]: must be a/,
  ],
  [
    'version: 1\nusers: &a []\nwebsites: *a',
    /^text: anchors, aliases, tags and directives are not supported$/,
  ],
  ['version: 1\nusers: !!str', /^text: anchors, aliases, tags and directives are not supported$/],
  ['%YAML 1.1\n---\nversion: 1', /^text: anchors, aliases, tags and directives are not supported$/],
  ['version: 1\nusers: [{ email: a@b.c, 5e-secret: x }]', /^users\[0\]\.\(a key\): is not a field/],
  ['version: 1\n? [a]\n: x', /^text: the keys of a mapping must be names$/],
  [
    'version: 1\nzones: [{ name: ä.test }, { name: XN--4ca.test. }]',
    /^zones\[1\]\.name: xn--4ca\.test is at zones\[0\]\.name/,
  ],
  ['version: 1\nzones: [{ name: "*.test" }]', /^zones\[0\]\.name: a zone has no wildcard/],
  ['version: 1\nusers: !!set {}', /^text: /],
  ['version: !thing 1', /^text: /],
  ['version: 1\n---\nversion: 1', /^text: contains multiple documents$/],
  ['version: 1\nusers: [', /^text: .* at line 2/],
  [`version: 1\nusers: ${'['.repeat(5000)}`, /^text: is nested too deeply$/],
  [`version: 1\nusers: ${'{a: '.repeat(5000)}`, /^text: is nested too deeply$/],
  [`version: 1\n${'- '.repeat(5000)}x`, /^text: /],
  [`# ${'x'.repeat(maxManifestBytes)}`, /^text: must be at most 1 MiB$/],
  [
    `version: 1\nusers:\n${Array.from({ length: 600 }, (_, at) => `- email: u${at}@b.c\n`).join('')}zones:\n${Array.from({ length: 600 }, (_, at) => `- name: z${at}.test\n`).join('')}`,
    /^text: has 1200 objects: at most 1000/,
  ],
]

test('refuses what is none, with the place and what would be right', async () => {
  for (const [text, message] of refused)
    await assert.rejects(readManifest(text), { message }, text.slice(0, 200))
})

test('does not take __proto__ for a field', async () => {
  await assert.rejects(
    readManifest('version: 1\n__proto__: { users: [] }'),
    /^Problem: __proto__: is not a field/,
  )
  assert.equal(Object.hasOwn(Object.prototype, 'users'), false)
})

/** Counts the rounds of the event loop while work is done. */
async function roundsDuring(work: () => Promise<void>): Promise<number> {
  let rounds = 0
  let waiting = setImmediate(function round() {
    rounds += 1
    waiting = setImmediate(round)
  })
  await work().finally(() => clearImmediate(waiting))
  return rounds
}

test('stops at the first mistake of a large text, while other requests have their turn', async () => {
  const repeated = (text: string) => text.repeat(Math.floor((maxManifestBytes - 200) / text.length))
  const keys = Array.from({ length: 60_000 }, (_, at) => `key${at}: 1`).join('\n')
  const rounds = await roundsDuring(async () => {
    for (const [text, message] of [
      [`version: 1\n${keys}`, /^\(a key\): is not a field/],
      [repeated('}'), /^text: Unexpected flow-map-end token in YAML document at line 1, column 1$/],
      [`version: 1\nusers: [${repeated('a,')}]`, /^text: has more than 400000 words and signs/],
      [
        `version: 1\nusers: [${','.repeat(300_000)}]`,
        /^text: Unexpected , in flow sequence at line 2, column \d+$/,
      ],
      [
        `version: 1\nusers: "${'\\\n'.repeat(50_000)}"`,
        /^text: Missing closing "quote at line 2, column \d+$/,
      ],
      [repeated('---\n'), /^text: contains multiple documents$/],
    ] as const)
      await assert.rejects(readManifest(text), { message }, text.slice(0, 100))
  })
  assert.ok(rounds > 100, `others had ${rounds} rounds`)
})
