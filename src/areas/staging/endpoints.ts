import { at, type Deciding, failures, local } from '../../core/endpoint.ts'
import { accepted, data, list, succeeded } from '../../core/reply.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { databaseNotCreated } from '../databases/index.ts'
import { notBackedUp } from '../sitebackups/index.ts'
import { loadWebsite, notCreated, notServed, WebsitePath } from '../websites/index.ts'
import { type Context, endpoint } from './context.ts'
import * as verbs from './copies.ts'
import { drawCopy, staging } from './create.ts'
import { PushDraft, Removing, StagingCopy, StagingDraft, WebsiteStaging } from './model.ts'
import * as problems from './problems.ts'
import { drawPush, pushing } from './push.ts'

interface OfWebsite {
  readonly params: { readonly id: number }
}

const load = ({ params, caller, staging: { websites } }: Pick<Deciding, 'caller'> & Context & OfWebsite) =>
  loadWebsite(websites, params.id, caller)

const ofWebsite = endpoint.with({ base: '/websites', params: WebsitePath, target: load })
const ownContent = local('its content is copied on each host by itself')

export const listStagingCopies = endpoint({
  method: 'GET',
  path: '',
  summary: 'List staging copies with their origins: your own, or all for a superuser',
  effect: 'reads',
  reply: list(StagingCopy, { sort: ['created_at', 'website_id'], search: [] }),
  run: ({ query, caller, staging: on }) => verbs.listCopies(on, query, caller),
})

export const readWebsiteStaging = ofWebsite({
  method: 'GET',
  path: '/{id}/staging',
  summary: 'Read the staging copies of a website, and of which one it is a copy',
  effect: 'reads',
  reply: data(WebsiteStaging),
  run: ({ target, caller, staging: on }) => verbs.readStaging(on, target, caller),
})

export const createStagingCopy = ofWebsite({
  method: 'POST',
  path: '/{id}/staging',
  summary: 'Copy a website with its application to another domain, as a job',
  description:
    'Files, settings, and for WordPress a database with an account of its own, in which addresses are replaced also in serialised data. The copy sends no mail and is not indexed. A failure leaves nothing.',
  effect: 'changes',
  category: ownContent,
  body: StagingDraft,
  reply: accepted(staging),
  throws: failures(notCreated, databaseNotCreated, {
    bad_request: [problems.NotStageable, problems.ConfigUnreadable],
    conflict: problems.StagingAlready,
  }),
  run: ({ target, body, id }) => drawCopy(target, body, id),
})

export const pushStagingCopy = ofWebsite({
  method: 'POST',
  path: '/{id}/staging/push',
  summary: 'Replace the origin of a staging copy by it, as a job: files, database or both',
  description:
    'The id is that of the copy. The origin is backed up before, in the set before-restore, and put back as it was if it does not answer as before.',
  effect: 'changes',
  category: ownContent,
  body: PushDraft,
  reply: accepted(pushing),
  throws: failures(notBackedUp, {
    bad_request: [problems.NotStageable, problems.ConfigUnreadable, problems.TablesFixed],
    not_found: problems.NotACopy,
    conflict: [problems.StagingAlready, problems.OriginMissing],
  }),
  run: ({ target, body }) => drawPush(target, body),
})

export const deleteStagingCopy = ofWebsite({
  method: 'DELETE',
  path: '/{id}/staging',
  summary: 'Delete a staging copy with its files and database',
  description: 'The id is that of the copy.',
  effect: 'destroys',
  category: ownContent,
  query: Removing,
  reply: succeeded,
  throws: failures(notServed, {
    not_found: problems.NotACopy,
    delete_failed: at(500, connectProblems.SqlRefused, connectProblems.NotAnswering),
  }),
  run: ({ target, query, staging: on }) => verbs.deleteCopy(on, target, query),
})
