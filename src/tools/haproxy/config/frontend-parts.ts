import { type Bind, editBind, readBind, renderBind } from './bind-line.ts'
import type { PartKind } from './section-parts.ts'
import {
  asList,
  compression,
  count,
  forwardsAddress,
  single,
  type Timeout,
  timeouts,
} from './shared-parts.ts'
import { rawOf, statement } from './statement.ts'
import { encodeToken, readTokens } from './tokens.ts'

/** The settings of a frontend as written in its section. */
export interface FrontendParts {
  readonly mode: string | null
  readonly binds: readonly Bind[]
  readonly defaultBackend: string | null
  readonly maxConnections: number | null
  readonly timeouts: readonly Timeout[]
  readonly forwardsAddress: boolean
  readonly compression: readonly string[] | null
  readonly acls: readonly { readonly name: string; readonly criterion: string }[]
  readonly rules: readonly { readonly backend: string; readonly condition: string | null }[]
  readonly redirects: readonly string[]
}

const bind: PartKind<Bind, readonly Bind[]> = {
  part: 'binds',
  keywords: ['bind'],
  read: readBind,
  render: (item) => renderBind(item, ''),
  ...asList,
  isSame: (one, other) => one.address === other.address && one.port === other.port,
  edit: editBind,
}

const acl: PartKind<FrontendParts['acls'][number], FrontendParts['acls']> = {
  part: 'acls',
  keywords: ['acl'],
  read: (line) => {
    const tokens = readTokens(line)
    return tokens[0]?.text === 'acl' && tokens[1] !== undefined
      ? { name: tokens[1].text, criterion: rawOf(tokens.slice(2)) }
      : undefined
  },
  render: ({ name, criterion }) => `acl ${encodeToken(name)} ${statement(criterion, 'acls')}`,
  ...asList,
}

const rule: PartKind<FrontendParts['rules'][number], FrontendParts['rules']> = {
  part: 'rules',
  keywords: ['use_backend'],
  read: (line) => {
    const tokens = readTokens(line)
    return tokens[0]?.text === 'use_backend' && tokens[1] !== undefined
      ? { backend: tokens[1].text, condition: tokens.length > 2 ? rawOf(tokens.slice(2)) : null }
      : undefined
  },
  render: ({ backend, condition }) =>
    `use_backend ${encodeToken(backend)}${condition === null ? '' : ` ${statement(condition, 'rules')}`}`,
  ...asList,
}

const redirect: PartKind<string, readonly string[]> = {
  part: 'redirects',
  keywords: ['redirect', 'http-request'],
  read: (line) => {
    const tokens = readTokens(line)
    if (tokens[0]?.text === 'http-request' && tokens[1]?.text === 'redirect') return rawOf(tokens.slice(2))
    return tokens[0]?.text === 'redirect' ? rawOf(tokens.slice(1)) : undefined
  },
  render: (text) => `http-request redirect ${statement(text, 'redirects')}`,
  ...asList,
}

const mode = single('mode', 'mode')
const maxConnections = count('maxConnections', 'maxconn')
const defaultBackend = single('defaultBackend', 'default_backend')

/** In the order that HAProxy requires: a condition may only name ACLs that precede it. */
export const frontendKinds: readonly PartKind[] = [
  bind,
  mode,
  maxConnections,
  timeouts,
  forwardsAddress,
  compression,
  acl,
  redirect,
  rule,
  defaultBackend,
]

/** The parts by name, for reading them. */
export const frontendPart = {
  mode,
  binds: bind,
  defaultBackend,
  maxConnections,
  timeouts,
  forwardsAddress,
  compression,
  acls: acl,
  rules: rule,
  redirects: redirect,
} as const
