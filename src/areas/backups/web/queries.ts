import { useQuery } from '@tanstack/react-query'
import type { Call } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { backups } from './api.ts'

/** GET /settings/backup */
export const useBackupSettings = () =>
  useQuery({
    queryKey: ['backups', 'settings'],
    queryFn: ({ signal }) => run(backups.readBackupSettings(), signal),
  })

/** GET /system/backup */
export const usePanelBackups = () =>
  useQuery({
    queryKey: ['backups', 'panel'],
    queryFn: ({ signal }) => run(backups.listPanelBackups(), signal),
  })

/** Makes a call, and reads the pages of the area again at its end. */
export const carryOut = <Answer>(wanted: Call<Answer>): Promise<Answer> =>
  run(wanted).finally(() => readAgain('backups'))
