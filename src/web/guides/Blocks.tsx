import { Button, Table, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import { copyText } from '../kit/copy-text.ts'
import { notify } from '../kit/notices.tsx'
import type { Block, BuiltGuide, Inline, LinkTarget } from './guide.ts'
import classes from './guides.module.css'

type Pictures = BuiltGuide['pictures']

/** The parts of a guide as elements. */
export function Blocks({
  blocks,
  pictures,
}: {
  readonly blocks: readonly Block[]
  readonly pictures: Pictures
}) {
  return blocks.map((block, index) => <Fragment key={index}>{shownBlock(block, pictures)}</Fragment>)
}

function shownBlock(block: Block, pictures: Pictures): ReactNode {
  switch (block.kind) {
    case 'heading':
      return (
        <Title order={block.depth === 2 ? 2 : 3} size={block.depth === 2 ? 'h4' : 'h5'} id={block.id}>
          {shownText(block.content)}
        </Title>
      )
    case 'paragraph':
      return <p>{shownText(block.content)}</p>
    case 'code':
      return <CodeBlock text={block.text} />
    case 'picture':
      return <img src={pictures[block.file]} alt={block.alt} loading="lazy" />
    case 'list':
      return <ListBlock block={block} pictures={pictures} />
    case 'table':
      return <TableBlock block={block} />
  }
}

interface ListBlockProps {
  readonly block: Extract<Block, { kind: 'list' }>
  readonly pictures: Pictures
}

function ListBlock({ block, pictures }: ListBlockProps) {
  const List = block.isOrdered ? 'ol' : 'ul'
  return (
    <List>
      {block.items.map((item, index) => (
        <li key={index}>
          <Blocks blocks={item} pictures={pictures} />
        </li>
      ))}
    </List>
  )
}

function TableBlock({ block }: { readonly block: Extract<Block, { kind: 'table' }> }) {
  return (
    <Table withTableBorder className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          {block.head.map((cell, index) => (
            <Table.Th key={index}>{shownText(cell)}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {block.rows.map((row, index) => (
          <Table.Tr key={index}>
            {row.map((cell, column) => (
              <Table.Td key={column}>{shownText(cell)}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function CodeBlock({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    const isDone = await copyText(text)
    setCopied(isDone)
    if (!isDone) notify('The browser did not allow it. Select the text and copy it.', true)
  }
  return (
    <div className={classes.code}>
      <pre>
        <code>{text}</code>
      </pre>
      <Button size="compact-xs" variant="default" onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}

const shownText = (content: readonly Inline[]): ReactNode =>
  content.map((each, index) => <Fragment key={index}>{shownInline(each)}</Fragment>)

function shownInline(inline: Inline): ReactNode {
  if (typeof inline === 'string') return inline
  switch (inline.kind) {
    case 'code':
      return <code>{inline.text}</code>
    case 'emphasis':
      return <em>{shownText(inline.content)}</em>
    case 'strong':
      return <strong>{shownText(inline.content)}</strong>
    case 'link':
      return <GuideTextLink target={inline.target}>{shownText(inline.content)}</GuideTextLink>
  }
}

function GuideTextLink({ target, children }: { readonly target: LinkTarget; readonly children: ReactNode }) {
  if ('href' in target)
    return (
      <a href={target.href} target="_blank" rel="noreferrer" className={classes.link}>
        {children}
      </a>
    )
  return (
    <Link
      to={`/guides/${target.guide}` as never}
      {...(target.hash !== undefined && { hash: target.hash })}
      className={classes.link}
    >
      {children}
    </Link>
  )
}
