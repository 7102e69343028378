import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { settings } from './api.ts'

/** GET /settings/panel */
export const usePanelSettings = () =>
  useQuery({
    queryKey: ['settings', 'panel'],
    queryFn: ({ signal }) => run(settings.readPanelSettings(), signal),
  })
