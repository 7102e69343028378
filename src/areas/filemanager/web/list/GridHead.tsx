import { Checkbox, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import type { Listing } from './listing.ts'
import type { Selection } from './selection.ts'
import classes from './grid.module.css'

interface GridHeadProps {
  readonly listing: Listing
  readonly selection: Selection
  readonly sort: string
  readonly onSort: (sort: string) => void
}

/** The column headers with their sort buttons. */
export function GridHead({ listing, selection, sort, onSort }: GridHeadProps) {
  const chosen = selection.items.length
  const isAll = chosen > 0 && chosen === listing.count
  return (
    <div role="rowgroup" className={classes.headGroup}>
      <div role="row" className={classes.head} aria-rowindex={1}>
        <div role="columnheader" className={classes.check}>
          <Checkbox
            size="xs"
            aria-label={isAll ? 'Select nothing' : 'Select everything'}
            checked={isAll}
            indeterminate={chosen > 0 && !isAll}
            onChange={isAll ? selection.clear : selection.all}
          />
        </div>
        <Heading title="Name" column="name" sort={sort} onSort={onSort} />
        <Heading
          title="Size"
          column="size_bytes"
          sort={sort}
          onSort={onSort}
          className={`${classes.wide} ${classes.right}`}
        />
        <Heading
          title="Changed"
          column="modified_at"
          sort={sort}
          onSort={onSort}
          className={`${classes.wide}`}
        />
        <div role="columnheader" className={`${classes.wide} ${classes.mode}`}>
          Mode and owner
        </div>
        <div role="columnheader">
          <VisuallyHidden>Actions</VisuallyHidden>
        </div>
      </div>
    </div>
  )
}

interface HeadingProps extends Pick<GridHeadProps, 'sort' | 'onSort'> {
  readonly title: string
  readonly column: string
  readonly className?: string
}

function Heading({ title, column, sort, onSort, className = '' }: HeadingProps) {
  const direction = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none'
  const Icon =
    direction === 'ascending' ? IconArrowUp : direction === 'descending' ? IconArrowDown : IconArrowsSort
  return (
    <div role="columnheader" aria-sort={direction} className={className}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => onSort(direction === 'ascending' ? `-${column}` : column)}
      >
        {title}
        <Icon size={14} aria-hidden opacity={direction === 'none' ? 0.45 : 1} />
      </UnstyledButton>
    </div>
  )
}
