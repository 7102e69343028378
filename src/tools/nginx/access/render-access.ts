import { createHash } from 'node:crypto'
import type { NginxLayout } from '../layout.ts'
import { quoted } from '../quote.ts'
import { compileRules } from './compile.ts'
import { encode } from './encoding.ts'
import { accessDirectory, luaFile, rulesFile, shortDigest } from './layout.ts'
import type { AccessRules } from './rules.ts'

/** An owner whose websites obey rules. */
export interface RuledOwner {
  readonly owner: number
  /** Names the file of the compiled rules. */
  readonly digest: string
  /** True if websites answer 503 when the rules cannot be read; otherwise they are served without rules. */
  readonly isClosed: boolean
}

/** The content of the file of an owner's compiled rules, with the digest in its name. */
export interface CompiledRules {
  readonly digest: string
  readonly content: string
}

/** Compiles an owner's rules to the file that nginx loads. Its first line is a checksum. */
export function renderRules(rules: AccessRules): CompiledRules {
  const encoded = encode(compileRules(rules))
  const content = `${createHash('md5').update(encoded).digest('hex')}\n${encoded}`
  return { digest: shortDigest(content), content }
}

/** How much work the expressions of rules may cause: PCRE's default is 10 million. */
const matchLimit = 100_000

/** Renders the panel's file in conf.d that loads the Lua module, with the rules of these owners. */
export function renderAccessConfig(layout: NginxLayout, owners: readonly RuledOwner[]): string {
  const directory = accessDirectory(layout)
  const listed = owners.toSorted((one, other) => one.owner - other.owner)
  return [
    '# Written by Hostreeve: the access rules of websites.',
    `lua_regex_match_limit ${matchLimit};`,
    'lua_shared_dict hostreeve_access_hits 4m;',
    'lua_shared_dict hostreeve_access_rates 16m;',
    'init_by_lua_block {',
    `    package.loaded["hostreeve.access"] = assert(dofile(${luaString(`${directory}/${luaFile}`)}))`,
    '    require("hostreeve.access").load({',
    ...listed.map(
      ({ owner, digest, isClosed }) =>
        `        { owner = ${owner}, closed = ${isClosed}, path = ${luaString(`${directory}/${rulesFile(owner, digest)}`)} },`,
    ),
    '    })',
    '}',
    ...serverOf(layout, 'access', ['content_by_lua_block { require("hostreeve.access").report() }']),
    ...serverOf(layout, 'simulate', [
      'client_max_body_size 64m;',
      'client_body_buffer_size 64m;',
      'content_by_lua_block { require("hostreeve.access").simulate() }',
    ]),
    '',
  ].join('\n')
}

/** Only root reaches the socket. */
const serverOf = ({ socketPath }: NginxLayout, name: string, lines: readonly string[]): string[] => [
  'server {',
  `    listen ${quoted(`unix:${socketPath}`)};`,
  `    server_name ${name};`,
  '    access_log off;',
  '    location / {',
  ...lines.map((line) => `        ${line}`),
  '    }',
  '}',
]

/** Paths of the panel's layout only. */
function luaString(path: string): string {
  if (!/^[A-Za-z0-9_./-]+$/.test(path)) throw new Error(`not a plain path: ${JSON.stringify(path)}`)
  return `"${path}"`
}

/** The line of a website's server that has its requests evaluated, before anything else answers them. */
export const accessLine = (owner: number, siteId: number): string =>
  `    server_rewrite_by_lua_block { require("hostreeve.access").check(${count(owner)}, ${count(siteId)}) }`

function count(id: number): string {
  if (!Number.isSafeInteger(id) || id < 1) throw new Error(`not an id: ${id}`)
  return String(id)
}
