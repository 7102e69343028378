import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { sitebackups } from './api.ts'

/** GET /backups/websites */
export const useProtection = (asked: Query) =>
  useQuery({
    queryKey: ['backups', 'websites', asked],
    queryFn: ({ signal }) => run(sitebackups.listBackupProtection({ query: asked }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /websites/{id}/backups */
export const useBackups = (id: number, asked: Query) =>
  useQuery({
    queryKey: ['backups', id, asked],
    queryFn: ({ signal }) => run(sitebackups.listWebsiteBackups({ params: { id }, query: asked }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /websites/{id}/backups/sets */
export const useBackupSets = (id: number) =>
  useQuery({
    queryKey: ['backups', id, 'sets'],
    queryFn: ({ signal }) => run(sitebackups.listBackupSets({ params: { id } }), signal),
  })

/** GET /websites/{id}/backups/drills */
export const useDrills = (id: number) =>
  useQuery({
    queryKey: ['backups', id, 'drills'],
    queryFn: ({ signal }) =>
      run(sitebackups.listDrillsOfWebsite({ params: { id }, query: { per_page: 10 } }), signal),
  })

/** GET /backups/drills/settings */
export const useDrillSettings = () =>
  useQuery({
    queryKey: ['backups', 'drills', 'settings'],
    queryFn: ({ signal }) => run(sitebackups.getDrillSettings(), signal),
  })

/** Reads the backups and sets again. */
export const readBackupsAgain = () => readAgain('backups')
