import Type, { type Static } from 'typebox'
import { Text, Time } from '../../core/schemas.ts'

export const keptDays = 90

const count = (description: string) => Type.Integer({ minimum: 0, description })

const Statuses = Type.Object({
  '1xx': count('Informational'),
  '2xx': count('Successful'),
  '3xx': count('Redirects'),
  '4xx': count('Errors of visitors'),
  '5xx': count('Errors of the website'),
})

const counts = {
  requests: count('Requests that were answered'),
  bytes: count('Bytes of the bodies of the answers'),
  statuses: Statuses,
}

export const StatisticsQuery = Type.Object({
  hours: Type.Integer({
    minimum: 1,
    maximum: keptDays * 24,
    default: 24,
    description: 'How many hours back, with the current one',
    expects: `a whole number from 1 to ${keptDays * 24}`,
  }),
})

export const Statistics = Type.Object({
  from: Time,
  ...counts,
  hours: Type.Array(Type.Object({ start: Time, ...counts }), {
    maxItems: keptDays * 24,
    description: 'Hours with requests, the earliest first',
  }),
  slowest: Type.Array(
    Type.Object({
      path: Text(200, { description: 'Without the query' }),
      seconds: Type.Number({ minimum: 0, description: 'Its longest request' }),
    }),
    { maxItems: 10, description: 'Paths with the longest single requests' },
  ),
})
export type Statistics = Static<typeof Statistics>
