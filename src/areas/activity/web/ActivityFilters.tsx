import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useAreas } from '../../programs/web/queries.ts'
import { useUsers } from '../../users/web/queries.ts'
import { useActions } from './queries.ts'

/** The chosen filters, as the query of the request. */
export interface Chosen {
  readonly user_id?: number
  readonly area?: string
  readonly action?: string
  readonly from?: string
}

interface FiltersProps {
  readonly whose: 'all' | 'mine'
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen) => void
}

const periods = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
]

/** Filters of the activity by user, area, action and period. */
export function ActivityFilters({ whose, chosen, onChoose }: FiltersProps) {
  const [hours, setHours] = useState('')
  const areas = useAreas()
  const { user_id: _person, ...others } = chosen
  const { area: _area, action: _ofArea, ...withoutArea } = chosen
  const { action: _action, ...withoutAction } = chosen
  const { from: _from, ...withoutPeriod } = chosen
  const choosePeriod = (value: string) => {
    setHours(value)
    const from = new Date(Date.now() - Number(value) * 3_600_000).toISOString()
    onChoose(value ? { ...withoutPeriod, from } : withoutPeriod)
  }
  return (
    <>
      {whose === 'all' && (
        <UserFilter
          value={chosen.user_id}
          onChoose={(id) => onChoose(id === undefined ? others : { ...others, user_id: id })}
        />
      )}
      <NativeSelect
        aria-label="Area"
        data={[
          { value: '', label: 'All areas' },
          ...(areas.data ?? []).map(({ name, title }) => ({ value: name, label: title })),
        ]}
        value={chosen.area ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChoose(value ? { ...withoutArea, area: value } : withoutArea)
        }
      />
      <ActionFilter
        area={chosen.area}
        value={chosen.action}
        onChoose={(action) => onChoose(action === undefined ? withoutAction : { ...withoutAction, action })}
      />
      <NativeSelect
        aria-label="Period"
        data={periods}
        value={hours}
        onChange={(event) => choosePeriod(event.currentTarget.value)}
      />
    </>
  )
}

interface ActionFilterProps {
  /** Only its actions are offered. */
  readonly area: string | undefined
  readonly value: string | undefined
  readonly onChoose: (action: string | undefined) => void
}

function ActionFilter({ area, value, onChoose }: ActionFilterProps) {
  const actions = useActions()
  const offered = (actions.data ?? [])
    .filter((each) => area === undefined || each.area === area)
    .toSorted((one, other) => one.title.localeCompare(other.title))
  return (
    <NativeSelect
      aria-label="Action"
      maw={280}
      data={[
        { value: '', label: 'All actions' },
        ...offered.map(({ action, title }) => ({ value: action, label: title })),
      ]}
      value={value ?? ''}
      onChange={({ currentTarget: { value: action } }) => onChoose(action || undefined)}
    />
  )
}

interface UserFilterProps {
  readonly value: number | undefined
  readonly onChoose: (id: number | undefined) => void
}

function UserFilter({ value, onChoose }: UserFilterProps) {
  const users = useUsers({ per_page: 500, sort: 'email' })
  return (
    <NativeSelect
      aria-label="User"
      data={[
        { value: '', label: 'All users' },
        ...(users.data?.items ?? []).map(({ id, email }) => ({ value: String(id), label: email })),
      ]}
      value={value ?? ''}
      onChange={({ currentTarget: { value: id } }) => onChoose(id ? Number(id) : undefined)}
    />
  )
}
