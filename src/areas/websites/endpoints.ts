import { at, type Deciding, failures, local } from '../../core/endpoint.ts'
import Type from 'typebox'
import { connectProblems } from '../../host/connect/index.ts'
import { superuser } from '../../core/guard.ts'
import { accepted, created, data, events, list, succeeded } from '../../core/reply.ts'
import { Optional, SuspensionState, UnixName } from '../../core/schemas.ts'
import * as aliases from './aliases.ts'
import { cloning } from './clone.ts'
import { type Context, endpoint } from './context.ts'
import { dnsOf } from './dns.ts'
import * as creation from './create.ts'
import * as creationLock from './creation-lock.ts'
import * as edits from './edit.ts'
import { notServed } from './failures.ts'
import { notCreated, settingFailures } from './not-created.ts'
import { folderFailures } from './folders.ts'
import { zoneFailures } from './zone-failures.ts'
import {
  AliasDraft,
  Aliases,
  AliasPath,
  CloneDraft,
  CreationLock,
  DnsTemplates,
  LogFollowing,
  LogLines,
  LogQuery,
  Overwriting,
  Removing,
  SiteLogLine,
  Website,
  WebsiteDns,
  WebsiteDraft,
  WebsiteEdit,
  WebsitePath,
} from './model.ts'
import {
  AliasUnknown,
  AlreadySo,
  CloningAlready,
  BelowAnother,
  DomainTaken,
  HstsWithoutRedirect,
  OwnerUnknown,
  VersionMissing,
} from './problems.ts'
import { followLog } from './follow-log.ts'
import { overLicence } from './licensed.ts'
import { LimitReached } from './owner-limits.ts'
import { FolderExists } from './place-folder.ts'
import { loadWebsite, showPage, showWebsite } from './site.ts'
import * as sites from './websites.ts'
import { listTemplates } from './zones.ts'

const load = ({ params, caller, websites }: Pick<Deciding, 'caller'> & Context & OfWebsite) =>
  loadWebsite(websites, params.id, caller)

interface OfWebsite {
  readonly params: { readonly id: number }
}

const readingWebsite = endpoint.with({ params: WebsitePath, target: load })

const changingWebsite = endpoint.with({
  category: 'websites',
  params: WebsitePath,
  throws: notServed,
  target: load,
})

export const listWebsites = endpoint({
  method: 'GET',
  path: '',
  summary: 'List websites: your own, or all for a superuser',
  effect: 'reads',
  query: Type.Object({ username: Optional(UnixName), state: Optional(SuspensionState) }),
  reply: list(Website, { sort: ['domain', 'username', 'created_at', 'id'], search: ['domain', 'username'] }),
  run: async ({ query, caller, websites }) =>
    showPage(websites, await websites.queries.page(query, caller, query)),
})

export const createWebsite = endpoint({
  method: 'POST',
  path: '',
  summary: 'Create a website and serve it',
  description:
    'With `dns_template`, a superuser also creates a DNS zone for the domain, without a leading `www.`, in the same change. A panel to which the change is mirrored creates the website alone.',
  effect: 'changes',
  category: 'websites',
  query: Overwriting,
  body: WebsiteDraft,
  reply: created(Website),
  throws: failures(notCreated, zoneFailures),
  run: ({ websites, body, ...request }) => creation.createWebsite(websites, body, request),
})

export const listSiteDnsTemplates = endpoint({
  method: 'GET',
  path: '/dns-templates',
  summary: 'List the templates of DNS zones that may be created with a website',
  effect: 'reads',
  reply: data(DnsTemplates),
  run: ({ websites, caller }) => listTemplates(websites, caller),
})

const creationLockEndpoint = endpoint.with({ base: '/settings', guard: superuser })

export const readCreationLock = creationLockEndpoint({
  method: 'GET',
  path: '/website-creation-lock',
  summary: 'Read whether only superusers may create websites',
  effect: 'reads',
  reply: data(CreationLock),
  run: ({ websites }) => creationLock.readCreationLock(websites),
})

export const setCreationLock = creationLockEndpoint({
  method: 'POST',
  path: '/website-creation-lock',
  summary: 'Let superusers alone create websites, or everybody with the permission',
  effect: 'changes',
  category: local('a server that gets its websites from another one is locked by that one'),
  body: CreationLock,
  reply: succeeded,
  run: ({ websites, body }) => creationLock.setCreationLock(websites, body),
})

export const cloneWebsite = readingWebsite({
  method: 'POST',
  path: '/{id}/clone',
  summary: 'Copy a website to another domain: its files and settings, without aliases, certificate and logs',
  effect: 'changes',
  category: 'websites',
  body: CloneDraft,
  reply: accepted(cloning),
  throws: failures(
    {
      bad_request: [DomainTaken, BelowAnother, OwnerUnknown, VersionMissing],
      conflict: [CloningAlready, FolderExists],
    },
    overLicence,
    folderFailures,
    notServed,
  ),
  run: ({ target, body, id, caller: { isMirrored = false } }) => ({
    ...{ website_id: target.id, id: id('websites'), ...body },
    is_mirrored: isMirrored,
  }),
})

export const getWebsite = readingWebsite({
  method: 'GET',
  path: '/{id}',
  summary: 'Read a website',
  effect: 'reads',
  reply: data(Website),
  run: ({ target }) => showWebsite(target),
})

export const editWebsite = changingWebsite({
  method: 'PATCH',
  path: '/{id}',
  summary: 'Change a website',
  description:
    'The domain and the owner are changed alone. Files, logs, crontab and PHP go along; another owner gets a copy, and the former files are removed at the end. A certificate that does not cover the new domain is removed.',
  effect: 'changes',
  query: Overwriting,
  body: WebsiteEdit,
  reply: data(Website),
  timeoutMs: 1_800_000,
  throws: failures(
    {
      bad_request: [DomainTaken, BelowAnother, HstsWithoutRedirect, OwnerUnknown, ...settingFailures],
      conflict: FolderExists,
      limit_reached: LimitReached,
    },
    folderFailures,
  ),
  run: ({ websites, target, body, ...request }) => edits.editWebsite(websites, target, body, request),
})

export const deleteWebsite = changingWebsite({
  method: 'DELETE',
  path: '/{id}',
  summary: 'Delete a website; its files stay unless files=remove, its databases unless databases=remove',
  effect: 'destroys',
  query: Removing,
  reply: succeeded,
  throws: failures(folderFailures, {
    delete_failed: at(500, connectProblems.SqlRefused, connectProblems.NotAnswering),
  }),
  run: ({ websites, target, query }) => sites.deleteWebsite(websites, target, query),
})

export const listAliases = readingWebsite({
  method: 'GET',
  path: '/{id}/aliases',
  summary: 'List the aliases of a website',
  effect: 'reads',
  reply: data(Type.Object({ aliases: Aliases })),
  run: ({ target }) => ({ aliases: [...target.aliases] }),
})

export const addAlias = changingWebsite({
  method: 'POST',
  path: '/{id}/aliases',
  summary: 'Add an alias and serve it',
  effect: 'changes',
  query: Overwriting,
  body: AliasDraft,
  reply: created(Website),
  throws: { bad_request: [DomainTaken, BelowAnother] },
  run: ({ websites, target, body, ...request }) => aliases.addAlias(websites, target, body.name, request),
})

export const removeAlias = changingWebsite({
  method: 'DELETE',
  path: '/{id}/aliases/{name}',
  summary: 'Remove an alias',
  effect: 'destroys',
  params: AliasPath,
  query: Overwriting,
  reply: data(Website),
  throws: { not_found: AliasUnknown, bad_request: DomainTaken },
  run: ({ websites, target, params, ...request }) =>
    aliases.removeAlias(websites, target, params.name, request),
})

export const suspendWebsite = changingWebsite({
  method: 'POST',
  path: '/{id}/suspend',
  summary: 'Suspend a website: it answers 503 until it is unsuspended',
  effect: 'changes',
  query: Overwriting,
  reply: succeeded,
  throws: { bad_request: AlreadySo },
  run: ({ websites, target, ...request }) => sites.setSuspended(websites, target, true, request),
})

export const unsuspendWebsite = changingWebsite({
  method: 'POST',
  path: '/{id}/unsuspend',
  summary: 'Serve a suspended website again',
  effect: 'changes',
  query: Overwriting,
  reply: succeeded,
  throws: { bad_request: AlreadySo },
  run: ({ websites, target, ...request }) => sites.setSuspended(websites, target, false, request),
})

export const getDns = readingWebsite({
  method: 'GET',
  path: '/{id}/dns',
  summary: 'Read the addresses that the DNS of a website must contain, and where its domain leads today',
  effect: 'reads',
  reply: data(WebsiteDns),
  run: ({ target, websites }) => dnsOf(websites.addresses, target.domain),
})

export const readLogs = readingWebsite({
  method: 'GET',
  path: '/{id}/logs',
  summary: 'Read the last lines of a website’s access or error log',
  effect: 'reads',
  query: LogQuery,
  reply: data(LogLines),
  run: async ({ target, query, websites }) => ({
    kind: query.kind,
    lines: [...(await websites.nginx.logTail(target.domain, query))],
  }),
})

export const followLogs = readingWebsite({
  method: 'GET',
  path: '/{id}/logs/events',
  summary: 'Follow the access or error log of a website: its last lines, and those to come',
  effect: 'reads',
  query: LogFollowing,
  reply: events(SiteLogLine),
  run: ({ target, query, websites, signal }) => followLog(websites, target.domain, query, signal),
})
