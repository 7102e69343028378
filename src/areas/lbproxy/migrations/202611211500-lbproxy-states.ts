import type { Migration } from '../../../core/area.ts'

export const createStates: Migration = {
  name: '202611211500-lbproxy-states',
  statements: [
    `create table lbproxy_states (
      backend text not null, server text not null, state text not null, generation text not null, primary key (backend, server)
    )`,
  ],
}
