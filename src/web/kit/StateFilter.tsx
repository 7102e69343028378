import { NativeSelect } from '@mantine/core'
import { humanize } from './format.ts'
import type { ListState } from './list-state.ts'

interface StateFilterProps<State extends string> {
  readonly states: readonly State[]
  readonly value: State | undefined
  readonly onChange: (state: State | undefined) => void
  readonly list: ListState
}

/** Narrows a table to the rows in one state. */
export function StateFilter<State extends string>({
  states,
  value,
  onChange,
  list,
}: StateFilterProps<State>) {
  return (
    <NativeSelect
      aria-label="State"
      value={value ?? ''}
      data={[
        { value: '', label: 'All states' },
        ...states.map((state) => ({ value: state, label: humanize(state) })),
      ]}
      onChange={(event) => {
        onChange(states.find((state) => state === event.currentTarget.value))
        list.setPage(1)
      }}
    />
  )
}
