import Type from 'typebox'
import type { Method } from '../../core/endpoint.ts'

/** A tool for one endpoint of the panel. Its schema, title and hints are those of the endpoint. */
export interface Curated {
  readonly name: string
  readonly method: Method
  /** Its parameters are the arguments of the tool. */
  readonly path: string
}

/** The tools of decision 4.12, sorted by name. */
export const curatedTools: readonly Curated[] = [
  { name: 'activity_log', method: 'GET', path: '/api/activity' },
  { name: 'firewall_status', method: 'GET', path: '/api/firewall/status' },
  {
    name: 'get_dns_zone',
    method: 'GET',
    path: '/api/authdns/zones/{zone}',
  },
  { name: 'get_website', method: 'GET', path: '/api/websites/{id}' },
  { name: 'list_plugins', method: 'GET', path: '/api/plugins' },
  { name: 'list_services', method: 'GET', path: '/api/services' },
  { name: 'list_users', method: 'GET', path: '/api/users' },
  {
    name: 'list_website_backups',
    method: 'GET',
    path: '/api/websites/{id}/backups',
  },
  { name: 'list_website_crontab', method: 'GET', path: '/api/websites/{id}/crontab' },
  {
    name: 'list_website_databases',
    method: 'GET',
    path: '/api/websites/{id}/databases',
  },
  { name: 'list_websites', method: 'GET', path: '/api/websites' },
  { name: 'server_info', method: 'GET', path: '/api/system/info' },
  { name: 'service_action', method: 'POST', path: '/api/services/{name}/{action}' },
  { name: 'system_updates', method: 'GET', path: '/api/system/updates' },
  { name: 'website_ssl_status', method: 'GET', path: '/api/websites/{id}/ssl' },
]

export const ApiCall = Type.Object({
  method: Type.String({
    maxLength: 10,
    description: 'GET, POST, PUT, PATCH or DELETE',
    expects: 'one of GET, POST, PUT, PATCH, DELETE',
  }),
  path: Type.String({
    maxLength: 8192,
    description: 'Path of the endpoint, such as /websites/3; /api is added. It may have a query',
    expects: 'a path such as /websites/3',
  }),
  body: Type.Optional(
    // of any fields: the endpoint checks them
    Type.Unsafe<object>({ type: 'object', description: 'Body of the request', expects: 'a JSON object' }),
  ),
  plan: Type.Optional(
    Type.Boolean({ description: 'Return the plan of a change instead of carrying it out' }),
  ),
  plan_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Id of a plan that waits for a person: return its outcome, and call nothing',
      expects: 'the id of a plan',
    }),
  ),
})

export const EndpointQuery = Type.Object({
  query: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Text to find in method and path, in any case of letters',
      expects: 'text of at most 200 characters',
    }),
  ),
})
