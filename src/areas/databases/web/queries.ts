import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { databases } from './api.ts'

/** GET /databases */
export const useDatabases = (asked: Query) =>
  useQuery({
    queryKey: ['databases', asked],
    queryFn: ({ signal }) => run(databases.listDatabases({ query: asked }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /websites/{id}/databases */
export const useDatabasesOfWebsite = (id: number, asked: Query) =>
  useQuery({
    queryKey: ['databases', 'website', id, asked],
    queryFn: ({ signal }) => run(databases.listDatabasesOfWebsite({ params: { id }, query: asked }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /databases/{id}/users */
export const useDatabaseUsers = (id: number) =>
  useQuery({
    queryKey: ['databases', id, 'users'],
    queryFn: ({ signal }) => run(databases.listDatabaseUsers({ params: { id } }), signal),
  })

/** GET /databases/mysql-host */
export const useDatabaseHost = () =>
  useQuery({
    queryKey: ['databases', 'host'],
    queryFn: ({ signal }) => run(databases.readDatabaseHost(), signal),
  })

/** Reads the databases and their users again. */
export const readDatabasesAgain = () => readAgain('databases')
