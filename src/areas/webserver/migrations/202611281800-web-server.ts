import type { Migration } from '../../../core/area.ts'

/** One row: which web server serves the websites; nginx without it. */
export const createWebServer: Migration = {
  name: '202611281800-web-server',
  statements: [
    `create table web_server (
      id integer primary key, active text not null, revision integer not null
    )`,
  ],
}
