import { accepted } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { byBody, homeFiles } from '../endpoints/target.ts'
import { pathOf } from '../paths.ts'
import { reaching } from './failures.ts'
import * as model from './model.ts'
import { cloning, pulling, pushing } from './transfer-work.ts'

const startingTransfer = endpoint.with({ category: homeFiles, throws: reaching, target: byBody })

export const cloneRepository = startingTransfer({
  method: 'POST',
  path: '/vcs/clone',
  summary: 'Clone a repository into a new or empty folder',
  description:
    'A stored job; nothing stands in the place before all of it was fetched. Submodules are not cloned. An ssh server is asked for its key at the first contact, which is kept and told in the output of the job; another key is refused later.',
  effect: 'changes',
  body: model.CloneBody,
  reply: accepted(cloning),
  run: ({ target: { username }, body }) => ({ username, path: pathOf(body, 'path'), wish: body }),
})

export const pullRepository = startingTransfer({
  method: 'POST',
  path: '/vcs/pull',
  summary: 'Fetch what a remote has and take it over',
  description:
    'A stored job. Where remote and branch are absent, those that the branch follows, else origin and the branch of the same name.',
  effect: 'changes',
  body: model.PullBody,
  reply: accepted(pulling),
  run: ({ target: { username }, body }) => ({ username, path: pathOf(body, 'path', ''), wish: body }),
})

export const pushRepository = startingTransfer({
  method: 'POST',
  path: '/vcs/push',
  summary: 'Send the commits of a branch to a remote',
  description:
    'A stored job. Never forced, unless force_with_lease says that what is replaced is what the last pull saw.',
  effect: 'changes',
  body: model.PushBody,
  reply: accepted(pushing),
  run: ({ target: { username }, body }) => ({ username, path: pathOf(body, 'path', ''), wish: body }),
})
