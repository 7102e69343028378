import Type, { type Static } from 'typebox'
import { Id, OneOf, Text, Time } from '../../core/schemas.ts'

export const maxLines = 1000

const CrontabText = Type.String({
  maxLength: 200_000,
  description: 'Lines as crontab(5) has them, without the user',
  expects: `text of at most ${maxLines} lines`,
})
const Line = Type.Integer({
  minimum: 1,
  maximum: maxLines,
  description: 'Number of the line, from 1',
  expects: `a whole number from 1 to ${maxLines}`,
})

const CronRun = Type.Object({
  line: Type.Union([Line, Type.Null()], { description: 'Null if its line was changed since' }),
  started_at: Time,
  ended_at: Time,
  exit_status: Type.Integer({ description: '0 for success' }),
  output: Type.String({ maxLength: 8192, description: 'The beginning of its output' }),
  started_by: OneOf(['schedule', 'hand']),
})

export const Crontab = Type.Object({
  crontab: CrontabText,
  time_zone: Text(255, { description: 'Of this host, in which the schedules are' }),
  reason: Type.Union([Text(500), Type.Null()], { description: 'Why nothing runs' }),
  jobs: Type.Array(
    Type.Object({
      line: Line,
      schedule: Text(500),
      command: Text(10_000),
      next_runs: Type.Array(Time, { maxItems: 5, description: 'None for @reboot' }),
    }),
    { maxItems: maxLines },
  ),
  runs: Type.Array(CronRun, { maxItems: 50, description: 'The last runs, the latest first' }),
})
export type Crontab = Static<typeof Crontab>

export const CrontabDraft = Type.Object({ crontab: CrontabText })

export const LineToRun = Type.Object({ line: Line })

export const RunInput = Type.Object({ website_id: Id, ...LineToRun.properties })

export const LineRun = Type.Object({
  exit_status: Type.Integer({ description: '0 for success' }),
  output: Type.String({ maxLength: 70_000, description: 'The beginning of its output' }),
})
