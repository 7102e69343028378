import { type Deciding, failures } from '../../core/endpoint.ts'
import Type from 'typebox'
import { created, data, list, succeeded } from '../../core/reply.ts'
import { Hostname, Optional, UnixName } from '../../core/schemas.ts'
import * as aliases from './aliases.ts'
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
import { loadWebsite, showPage, showWebsite } from './site.ts'
import * as sites from './websites.ts'

const load = ({ params, caller, websites }: Pick<Deciding, 'caller'> & Context & OfWebsite) =>
  loadWebsite(websites, params.id, caller)

interface OfWebsite {
  readonly params: { readonly id: number }
}

export const listWebsites = endpoint({
  method: 'GET',
  path: '',
  summary: 'List websites: your own, or all for a superuser',
  effect: 'reads',
  query: Type.Object({ username: Optional(UnixName) }),
  reply: list(Website, { sort: ['domain', 'username', 'created_at', 'id'], search: ['domain', 'username'] }),
  run: async ({ query, caller, websites }) =>
    showPage(websites, await websites.queries.page(query, caller, query.username)),
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
  run: ({ websites, body, ...request }) => sites.createWebsite(websites, body, request),
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
  run: ({ websites, target, body, ...request }) =>
    aliases.setAliases(websites, target, body.aliases ?? target.aliases, request),
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
  run: ({ websites, target, query }) => sites.deleteWebsite(websites, target, query),
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
  run: ({ websites, target, body, ...request }) => aliases.addAlias(websites, target, body.name, request),
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
  run: ({ websites, target, params, ...request }) =>
    aliases.removeAlias(websites, target, params.name, request),
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
  run: ({ websites, target, ...request }) => sites.setSuspended(websites, target, true, request),
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
  run: ({ websites, target, ...request }) => sites.setSuspended(websites, target, false, request),
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
    lines: [...(await websites.nginx.logTail(target.domain, query))],
  }),
})
