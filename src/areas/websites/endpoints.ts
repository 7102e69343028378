import { failures } from '../../core/endpoint.ts'
import Type from 'typebox'
import { created, data, list, succeeded } from '../../core/reply.ts'
import { Hostname, Optional, UnixName } from '../../core/schemas.ts'
import { type Context, endpoint } from './context.ts'
import { notServed } from './failures.ts'
import { folderFailures } from './folders.ts'
import {
  Aliases,
  LogLines,
  LogQuery,
  Overwriting,
  Removing,
  Website,
  WebsiteDraft,
  WebsiteEdit,
  WebsitePath,
} from './model.ts'
import { AliasUnknown, AlreadySo, DomainTaken, OwnerUnknown } from './problems.ts'
import { showWebsite } from './websites.ts'

const load = ({
  params,
  caller,
  websites,
}: {
  readonly params: { readonly id: number }
  readonly caller: Parameters<Context['websites']['load']>[1]
} & Context) => websites.load(params.id, caller)

export const listWebsites = endpoint({
  method: 'GET',
  path: '',
  summary: 'List websites: your own, or all for a superuser',
  effect: 'reads',
  query: Type.Object({ username: Optional(UnixName) }),
  reply: list(Website, { sort: ['domain', 'username', 'created_at', 'id'], search: ['domain', 'username'] }),
  run: async ({ query, caller, websites }) => {
    const page = await websites.page(query, caller, query.username)
    const aliases = await websites.aliasesOf(page.items.map(({ id }) => id))
    return {
      items: page.items.map((row) => showWebsite({ ...row, aliases: aliases.get(row.id) ?? [] })),
      total: page.total,
    }
  },
})

export const createWebsite = endpoint({
  method: 'POST',
  path: '',
  summary: 'Create a website and serve it',
  effect: 'changes',
  category: 'websites',
  query: Overwriting,
  body: WebsiteDraft,
  reply: created(Website),
  throws: failures({ bad_request: [DomainTaken, OwnerUnknown] }, notServed, folderFailures),
  run: ({ body, query, websites, caller, now, id }) => websites.create(body, { caller, now, id, ...query }),
})

export const getWebsite = endpoint({
  method: 'GET',
  path: '/{id}',
  summary: 'Read a website',
  effect: 'reads',
  params: WebsitePath,
  reply: data(Website),
  target: load,
  run: ({ target }) => showWebsite(target),
})

export const editWebsite = endpoint({
  method: 'PATCH',
  path: '/{id}',
  summary: 'Change a website',
  effect: 'changes',
  category: 'websites',
  params: WebsitePath,
  query: Overwriting,
  body: WebsiteEdit,
  reply: data(Website),
  throws: failures({ bad_request: DomainTaken }, notServed),
  target: load,
  run: ({ target, body, query, websites, now }) =>
    websites.setAliases(target, body.aliases ?? target.aliases, { now, ...query }),
})

export const deleteWebsite = endpoint({
  method: 'DELETE',
  path: '/{id}',
  summary: 'Delete a website; its files stay unless files=remove',
  effect: 'destroys',
  category: 'websites',
  params: WebsitePath,
  query: Removing,
  reply: succeeded,
  throws: failures(notServed, folderFailures),
  target: load,
  run: ({ target, query, websites }) => websites.remove(target, query),
})

export const listAliases = endpoint({
  method: 'GET',
  path: '/{id}/aliases',
  summary: 'List the aliases of a website',
  effect: 'reads',
  params: WebsitePath,
  reply: data(Type.Object({ aliases: Aliases })),
  target: load,
  run: ({ target }) => ({ aliases: [...target.aliases] }),
})

export const addAlias = endpoint({
  method: 'POST',
  path: '/{id}/aliases',
  summary: 'Add an alias and serve it',
  effect: 'changes',
  category: 'websites',
  params: WebsitePath,
  query: Overwriting,
  body: Type.Object({ name: Hostname }),
  reply: created(Website),
  throws: failures({ bad_request: DomainTaken }, notServed),
  target: load,
  run: ({ target, body, query, websites, now }) => websites.addAlias(target, body.name, { now, ...query }),
})

export const removeAlias = endpoint({
  method: 'DELETE',
  path: '/{id}/aliases/{name}',
  summary: 'Remove an alias',
  effect: 'destroys',
  category: 'websites',
  params: Type.Object({ ...WebsitePath.properties, name: Hostname }),
  query: Overwriting,
  reply: data(Website),
  throws: failures({ not_found: AliasUnknown, bad_request: DomainTaken }, notServed),
  target: load,
  run: ({ target, params, query, websites, now }) =>
    websites.removeAlias(target, params.name, { now, ...query }),
})

export const suspendWebsite = endpoint({
  method: 'POST',
  path: '/{id}/suspend',
  summary: 'Suspend a website: it answers 503 until it is unsuspended',
  effect: 'changes',
  category: 'websites',
  params: WebsitePath,
  query: Overwriting,
  reply: succeeded,
  throws: failures({ bad_request: AlreadySo }, notServed),
  target: load,
  run: ({ target, query, websites, now }) => websites.setSuspended(target, true, { now, ...query }),
})

export const unsuspendWebsite = endpoint({
  method: 'POST',
  path: '/{id}/unsuspend',
  summary: 'Serve a suspended website again',
  effect: 'changes',
  category: 'websites',
  params: WebsitePath,
  query: Overwriting,
  reply: succeeded,
  throws: failures({ bad_request: AlreadySo }, notServed),
  target: load,
  run: ({ target, query, websites, now }) => websites.setSuspended(target, false, { now, ...query }),
})

export const readLogs = endpoint({
  method: 'GET',
  path: '/{id}/logs',
  summary: 'Read the last lines of a website’s access or error log',
  effect: 'reads',
  params: WebsitePath,
  query: LogQuery,
  reply: data(LogLines),
  target: load,
  run: async ({ target, query, websites }) => ({
    kind: query.kind,
    lines: [...(await websites.logTail(target.domain, query))],
  }),
})
