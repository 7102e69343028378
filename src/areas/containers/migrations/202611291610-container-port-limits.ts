import type { Migration } from '../../../core/area.ts'

/** Who may reach published ports, where not everybody may. */
export const createPortLimits: Migration = {
  name: '202611291610-container-port-limits',
  statements: [`create table container_port_limits (port text primary key, sources text not null)`],
}
