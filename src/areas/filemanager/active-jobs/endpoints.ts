import Type from 'typebox'
import { data } from '../../../core/reply.ts'
import { readingFiles } from '../endpoints/target.ts'
import { ownerFields } from '../model.ts'
import * as activeJobs from './active-jobs.ts'
import { ActiveJobs } from './model.ts'

export const listActiveJobs = readingFiles({
  method: 'GET',
  path: '/jobs',
  summary: 'List the jobs that work on files now',
  description:
    'Those that pack, unpack, copy, move, download, clone, pull or push, and wait or run on the files of an account, oldest first: your own, or all for a superuser.',
  effect: 'reads',
  query: Type.Object(ownerFields),
  reply: data(ActiveJobs),
  run: async ({ target, caller, filemanager }) => ({
    items: await activeJobs.listActiveJobs(filemanager, target, caller),
  }),
})
