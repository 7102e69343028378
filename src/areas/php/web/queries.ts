import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { php } from './api.ts'

/** GET /settings/php/available */
export const useVersions = () =>
  useQuery({ queryKey: ['php', 'versions'], queryFn: ({ signal }) => run(php.listVersions(), signal) })

/** GET /settings/php/{version}/config */
export const useConfig = (version: string) =>
  useQuery({
    queryKey: ['php', 'config', version],
    queryFn: ({ signal }) => run(php.readConfig({ params: { version } }), signal),
  })

/** GET /settings/php-security */
export const useSecurity = () =>
  useQuery({ queryKey: ['php', 'security'], queryFn: ({ signal }) => run(php.readSecurity(), signal) })

/** Reads all of PHP again, and the websites that depend on it. */
export const readPhpAgain = () => readAgain('php', 'websites')
