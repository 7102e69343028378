import Type from 'typebox'
import { data } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { byQuery } from '../endpoints/asked.ts'
import { listed } from '../failures.ts'
import { whose } from '../model.ts'
import { GoingJobs } from './model.ts'

export const listGoing = endpoint({
  method: 'GET',
  path: '/jobs',
  summary: 'List the jobs that work on files now',
  description:
    'Those that pack, unpack, copy, move, download, clone, pull or push, and wait or run on the files of an account, oldest first: your own, or all for a superuser.',
  effect: 'reads',
  query: Type.Object(whose),
  reply: data(GoingJobs),
  throws: listed,
  target: byQuery,
  run: async ({ target: { username }, caller, filemanager }) => ({
    items: await filemanager.going.on(username, caller),
  }),
})
