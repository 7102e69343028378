import { Box, Button, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { formatMoment } from '../../../web/kit/format.ts'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { useTimeZone } from '../../../web/kit/time-zone.ts'
import type { Backup } from '../model.ts'
import { dayOf, monthAfter, monthOf, titleOf, weeksOf } from './calendar.ts'
import { locationOf } from './location.ts'
import { useBackups } from './queries.ts'
import { RestoreBackup } from './RestoreBackup.tsx'

/** The newest backups; older ones are in the table. */
const newest = { sort: '-time_mark', per_page: 500 }

/** The days to which a website can be restored; a day shows its backups. */
export function RestoreCalendar({ id }: { readonly id: number }) {
  const { data, error, refetch } = useBackups(id, newest)
  const timeZone = useTimeZone()
  const [asked, setAsked] = useState<Backup>()
  return (
    <SectionCard title="Restore points">
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading rows={4} />}
      {data && (
        <Months
          byDay={Map.groupBy(data.items, ({ time_mark: time }) => dayOf(time, timeZone))}
          today={dayOf(new Date(), timeZone)}
          onRestore={setAsked}
        />
      )}
      {asked && <RestoreBackup id={id} backup={asked} onClose={() => setAsked(undefined)} />}
    </SectionCard>
  )
}

type ByDay = ReadonlyMap<string, readonly Backup[]>

interface MonthsProps {
  readonly byDay: ByDay
  readonly today: string
  readonly onRestore: (backup: Backup) => void
}

/** A month at a time, at first that of the newest backup, whose day is chosen. */
function Months({ byDay, today, onRestore }: MonthsProps) {
  const latest = [...byDay.keys()][0]
  const [chosen, setChosen] = useState<string>()
  const [turned, setTurned] = useState<string>()
  const day = chosen ?? latest
  const month = turned ?? monthOf(day ?? today)
  const turn = (months: number) => setTurned(monthAfter(month, months))
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Button size="xs" variant="default" aria-label="Previous month" onClick={() => turn(-1)}>
          ‹
        </Button>
        <Text fw={600} aria-live="polite">
          {titleOf(month)}
        </Text>
        <Button size="xs" variant="default" aria-label="Next month" onClick={() => turn(1)}>
          ›
        </Button>
      </Group>
      <Month month={month} byDay={byDay} chosen={day} onChoose={setChosen} />
      {day === undefined && <Text size="sm">No backups yet</Text>}
      {day !== undefined && <Day day={day} backups={byDay.get(day) ?? []} onRestore={onRestore} />}
    </Stack>
  )
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

interface MonthProps {
  readonly month: string
  readonly byDay: ByDay
  readonly chosen: string | undefined
  readonly onChoose: (day: string) => void
}

const Month = ({ month, byDay, chosen, onChoose }: MonthProps) => (
  <Table aria-label={titleOf(month)} layout="fixed" withRowBorders={false} horizontalSpacing={2}>
    <Table.Thead>
      <Table.Tr>
        {weekdays.map((name) => (
          <Table.Th key={name} scope="col" abbr={name} ta="center">
            {name.slice(0, 2)}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {weeksOf(month).map((week, row) => (
        <Table.Tr key={`${month}-${row}`}>
          {week.map((day, at) => (
            <Table.Td key={weekdays[at]} ta="center">
              {day !== undefined && (
                <DayCell
                  day={day}
                  count={byDay.get(day)?.length ?? 0}
                  isChosen={day === chosen}
                  onChoose={onChoose}
                />
              )}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

interface DayCellProps {
  readonly day: string
  /** Of its backups. */
  readonly count: number
  readonly isChosen: boolean
  readonly onChoose: (day: string) => void
}

function DayCell({ day, count, isChosen, onChoose }: DayCellProps) {
  const number = Number(day.slice(-2))
  if (count === 0)
    return (
      <Text size="sm" c="dimmed">
        {number}
      </Text>
    )
  return (
    <Button
      fullWidth
      size="xs"
      px={0}
      variant={isChosen ? 'filled' : 'default'}
      aria-pressed={isChosen}
      aria-label={`${titleOf(day)}: ${count} ${count === 1 ? 'backup' : 'backups'}`}
      onClick={() => onChoose(day)}
    >
      {number}
    </Button>
  )
}

interface DayProps {
  readonly day: string
  readonly backups: readonly Backup[]
  readonly onRestore: (backup: Backup) => void
}

/** The backups of a day, the newest first. */
const Day = ({ day, backups, onRestore }: DayProps) => (
  <Stack gap="xs" component="ul" aria-label={`Backups of ${titleOf(day)}`} m={0} p={0}>
    {backups.map((backup) => (
      <Box key={backup.name} component="li" display="block">
        <Group justify="space-between" gap="xs">
          <Text size="sm" className="anywhere">
            {`${formatMoment(backup.time_mark)}, set ${backup.set}, ${backup.is_full ? 'full' : 'changes'}, ${locationOf(backup)}`}
          </Text>
          <Button
            size="xs"
            variant="default"
            aria-label={`Restore the backup of ${formatMoment(backup.time_mark)}`}
            onClick={() => onRestore(backup)}
          >
            Restore
          </Button>
        </Group>
      </Box>
    ))}
  </Stack>
)
