import { Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import classes from './DataTable.module.css'

interface TableHeadingProps {
  readonly title: string
  readonly align: 'right' | undefined
  readonly width: string | undefined
  /** The name of the column in the sort order; absent if it cannot be sorted. */
  readonly name: string | undefined
  readonly sort: string
  readonly onSort: (sort: string) => void
}

/** The heading of a column, as a button that sorts by it if it can be sorted. */
export function TableHeading({ title, align, width, name, sort, onSort }: TableHeadingProps) {
  if (name === undefined)
    return (
      <Table.Th role="columnheader" scope="col" data-align={align} w={width}>
        {title}
      </Table.Th>
    )
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'
  const Icon =
    direction === 'ascending' ? IconArrowUp : direction === 'descending' ? IconArrowDown : IconArrowsSort
  return (
    <Table.Th role="columnheader" scope="col" aria-sort={direction} data-align={align} w={width}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => onSort(direction === 'ascending' ? `-${name}` : name)}
      >
        {title}
        <Icon size={14} aria-hidden opacity={direction === 'none' ? 0.45 : 1} />
      </UnstyledButton>
    </Table.Th>
  )
}
