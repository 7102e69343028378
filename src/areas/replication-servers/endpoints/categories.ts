import { failures, local } from '../../../core/endpoint.ts'
import { StoreFailed } from '../../../core/problem.ts'
import { data } from '../../../core/reply.ts'
import * as categories from '../categories.ts'
import { endpoint } from '../context.ts'
import * as model from '../model.ts'
import { CategoryUnknown, ServerNotFound } from '../problems.ts'

const ofThisPanel = local('each panel has servers of its own')
const unknown = { not_found: ServerNotFound }
const unwritten = { db_error: StoreFailed }

export const listCategories = endpoint({
  method: 'GET',
  path: '/{id}/categories',
  summary: 'List the categories of changes, and whether a server repeats them',
  effect: 'reads',
  params: model.ServerPath,
  reply: data(model.CategorySwitches),
  throws: unknown,
  run: ({ replication, params }) => categories.listCategories(replication, params.id),
})

export const setCategories = endpoint({
  method: 'PUT',
  path: '/{id}/categories',
  summary: 'Set which categories of changes a server repeats',
  description:
    'With `websites`, the server is told to let nobody but superusers create websites of its own, or everybody again.',
  effect: 'changes',
  category: ofThisPanel,
  params: model.ServerPath,
  body: model.CategoriesEdit,
  reply: data(model.CategoriesUpdated),
  throws: failures(unknown, unwritten),
  run: ({ replication, params, body, ...request }) =>
    categories.setCategories(replication, params.id, body.categories, request),
})

export const setCategory = endpoint({
  method: 'PATCH',
  path: '/{id}/categories/{category}',
  summary: 'Set whether a server repeats the changes of a category',
  description:
    'With `websites`, the server is told to let nobody but superusers create websites of its own, or everybody again.',
  effect: 'changes',
  category: ofThisPanel,
  params: model.CategoryPath,
  body: model.ServerSwitch,
  reply: data(model.CategoryUpdated),
  throws: failures({ bad_request: CategoryUnknown }, unknown, unwritten),
  run: ({ replication, params, body, ...request }) =>
    categories.setCategory(replication, params, body, request),
})
