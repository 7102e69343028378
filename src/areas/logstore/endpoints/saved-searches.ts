import { local } from '../../../core/endpoint.ts'
import { StoreFailed } from '../../../core/problem.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { QueryRefused } from '../../../tools/opensearch/index.ts'
import { endpoint } from '../context.ts'
import { LogstorePath, SavedSearch, SavedSearchDraft, SavedSearches } from '../model.ts'
import { MissingName, TooManyAlerts, TooManySaved } from '../problems.ts'
import * as saved from '../saved-searches.ts'

const category = local('each host has its own log lines')

export const listSavedSearches = endpoint({
  method: 'GET',
  path: '/saved-searches',
  summary: 'List the saved searches, the newest first',
  effect: 'reads',
  reply: data(SavedSearches),
  run: ({ logstore }) => saved.listSavedSearches(logstore),
})

export const saveLogSearch = endpoint({
  method: 'POST',
  path: '/saved-searches',
  summary: 'Save a search, which may preserve the lines that it matches, and notify when there are many',
  effect: 'changes',
  category,
  body: SavedSearchDraft,
  invalid: { code: 'invalid_body', status: 400 },
  reply: data(SavedSearch),
  throws: {
    bad_request: [TooManySaved, TooManyAlerts, QueryRefused],
    missing_name: MissingName,
    db_error: StoreFailed,
  },
  run: ({ logstore, body, ...request }) => saved.saveSearch(logstore, body, request),
})

export const deleteSavedSearch = endpoint({
  method: 'DELETE',
  path: '/saved-searches/{id}',
  summary: 'Delete a saved search; lines that it alone preserves are kept no longer than others',
  effect: 'destroys',
  category,
  params: LogstorePath,
  reply: succeeded,
  run: ({ logstore, params, ...request }) => saved.deleteSavedSearch(logstore, Number(params.id), request),
})
