import { failures } from '../../core/endpoint.ts'
import { notTaken } from '../../tools/nginx/index.ts'
import { refusedByHost } from '../system/index.ts'

/** Failures that prevent a site's configuration from being activated; everything is then restored. */
export const notServed = failures({ config_failed: notTaken }, refusedByHost)
