import { change, step } from '../../../core/change.ts'
import { lock } from '../../../core/lock.ts'
import type { WorkEvent } from '../../../core/reply.ts'
import { from } from '../../../core/returned.ts'
import { countriesIn } from '../countries.ts'
import { assertSetUp } from '../available.ts'
import { type Webacl, work } from '../context.ts'
import { loadOwner, type OwnerRequest } from '../owner.ts'
import { missingGroups, resolved } from '../resolved.ts'
import { rulesetOf } from '../parts.ts'
import { NotAppliable, ReplaysAlready, WebsiteNotFound } from '../problems.ts'
import { type ReplayDraft, type ReplayEvent, ReplayInput, replayLimits, ReplayReply } from './model.ts'

const replayLock = lock<[owner: number]>('replay of access rules of')
const usualLines = 100_000

/** Returns the input of a replay. */
export const draftReplay = (id: string, { website_id, lines = usualLines }: ReplayDraft) => ({
  website_id,
  ruleset_id: id,
  lines,
})

/** Runs recent access logs through a ruleset, to tell what it would have done. */
export const replaying = work({
  kind: 'webacl.replay',
  lane: 'files',
  input: ReplayInput,
  reply: ReplayReply,
  timeoutMs: 2 * replayLimits.ms,
  attempts: 1,
  resumes: false,
  single: ReplaysAlready,
  decide: async ({ input: { website_id, ruleset_id, lines }, caller, webacl }) => {
    if (caller === null) throw WebsiteNotFound(`website_id: there is no website ${website_id}`)
    return decideReplay(webacl, { website_id, caller }, { ruleset_id, lines })
  },
})

async function decideReplay(
  on: Webacl,
  request: OwnerRequest,
  { ruleset_id, lines }: { readonly ruleset_id: string; readonly lines: number },
) {
  const owner = await loadOwner(on, request)
  const [config, library] = await Promise.all([on.configs.read(owner.id), on.configs.readLibrary()])
  const { name, website_ids } = rulesetOf(config, ruleset_id)
  const now = resolved(config, library)
  const [missing] = missingGroups(now)
  if (missing !== undefined) throw NotAppliable(missing)
  await assertSetUp(on)
  await on.countries.rangesOf(countriesIn(now))
  const sites = (await on.websites.queries.all())
    .filter(({ id, user_id }) => user_id === owner.id && (website_ids === null || website_ids.includes(id)))
    .slice(0, replayLimits.websites)
    .map(({ id, domain, aliases }) => ({ id, domain, host: aliases.length === 0 ? domain : null }))
  const replay = step(on.replay, { owner: owner.id, rulesetId: ruleset_id, sites, lines })
  return change({
    summary: `Replay access logs of ${owner.username} through the ruleset ${name}`,
    locks: [replayLock(owner.id)],
    steps: [replay],
    reply: { replay: from(replay, 'replay') },
  })
}

/** Returns an event of a replay: how far it is, and what it found. */
export function replayEvent(event: WorkEvent<{ replay: ReplayEvent['replay'] }>): ReplayEvent | undefined {
  if (event.type === 'done') {
    const { replay } = event.reply
    const message = `${replay?.matched ?? 0} of ${replay?.lines ?? 0} requests match`
    return { type: 'done', message, percent: 100, replay }
  }
  const message = event.message.slice(0, 2000)
  if (event.type === 'failed') return { type: 'error', message, percent: null, replay: null }
  return message === '' ? undefined : { type: 'progress', message, percent: event.percent, replay: null }
}
