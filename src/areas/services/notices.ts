import { contribution } from '../../core/point.ts'
import { noticed } from '../notifications/index.ts'
import type { ServicesArea } from './context.ts'

/** Tells superusers that a service failed. */
export const noticesOfServices = ({ services }: ServicesArea) =>
  contribution(noticed, {
    name: 'services',
    kinds: [{ name: 'service_failed', title: 'A service failed' }],
    after: { seconds: 60 },
    read: async () => {
      if (!(await services.detect()).present) return []
      const failed = (await services.list()).filter(({ state }) => state.startsWith('failed'))
      return failed.map(({ name, description }) => ({
        kind: 'service_failed',
        key: `service:${name}`,
        group: name,
        lasts: true,
        to: 'superusers',
        title: `The service ${name} failed`,
        message: description,
        link: `/services/${encodeURIComponent(name)}`,
      }))
    },
  })
