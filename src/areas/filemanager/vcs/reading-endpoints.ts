import { data, list } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { byQuery } from '../endpoints/target.ts'
import { pathOf } from '../paths.ts'
import { reading } from './failures.ts'
import * as model from './model.ts'
import * as repositories from './reading.ts'
import * as vcs from './vcs.ts'

const readingRepository = endpoint.with({ throws: reading, timeoutMs: 600_000, target: byQuery })

export const readStatus = readingRepository({
  method: 'GET',
  path: '/vcs',
  summary: 'Read how a folder stands under version control',
  description:
    'For a folder under none is_repository is false. Repositories whose configuration could start programs are refused with its key.',
  effect: 'reads',
  query: model.StatusQuery,
  reply: data(model.Status),
  run: ({ target, query, filemanager, caller, signal }) =>
    vcs.readStatus(filemanager, target, { path: pathOf(query, 'path', ''), caller, signal }),
})

export const readDiff = readingRepository({
  method: 'GET',
  path: '/vcs/diff',
  summary: 'Compare the folder, what is staged, or two commits',
  description: 'Without from and to the folder with the last commit. Files that no commit has are not in it.',
  effect: 'reads',
  query: model.DiffQuery,
  reply: data(model.Diff),
  run: ({ target, query, signal }) => repositories.readDiff(target, query, signal),
})

export const readLog = readingRepository({
  method: 'GET',
  path: '/vcs/log',
  summary: 'List the commits that lead to a place, the last first',
  effect: 'reads',
  query: model.LogQuery,
  reply: list(model.LogEntry, { sort: ['-committed_at'], search: [] }),
  run: ({ target, query, signal }) => repositories.readLog(target, query, signal),
})

export const showOne = readingRepository({
  method: 'GET',
  path: '/vcs/show',
  summary: 'Read one commit and what it changes',
  description: 'A merge is compared with its first parent.',
  effect: 'reads',
  query: model.ShowQuery,
  reply: data(model.Shown),
  run: ({ target, query, signal }) => repositories.showOne(target, query, signal),
})
