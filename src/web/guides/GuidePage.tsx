import { Link, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { TextLink } from '../kit/LinkButton.tsx'
import { Page } from '../kit/Page.tsx'
import { Empty, Failure, Loading } from '../kit/states.tsx'
import { Blocks } from './Blocks.tsx'
import { type BuiltGuide, plainText } from './guide.ts'
import { useGuide } from './queries.ts'
import classes from './guides.module.css'

/** One guide, with its table of contents. */
export function GuidePage() {
  const { name = '' }: { name?: string } = useParams({ strict: false })
  const guide = useGuide(name)
  return (
    <Page title={guide.data?.title ?? 'Guide'}>
      {guide.error && <Failure error={guide.error} onRetry={() => void guide.refetch()} />}
      {guide.isPending && <Loading rows={8} />}
      {guide.data === null && (
        <Empty title={`There is no guide "${name}"`} action={<TextLink to="/guides">All guides</TextLink>} />
      )}
      {guide.data && <OpenGuide key={name} name={name} guide={guide.data} />}
    </Page>
  )
}

function OpenGuide({ name, guide }: { readonly name: string; readonly guide: BuiltGuide }) {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  // The router looks for the heading before the guide is loaded.
  useEffect(() => document.getElementById(hash)?.scrollIntoView(), [hash])
  return (
    <div className={classes.layout}>
      <nav aria-label="On this page" className={classes.contents}>
        <p>On this page</p>
        <ul>
          {guide.blocks.map(
            (block) =>
              block.kind === 'heading' && (
                <li key={block.id}>
                  <Link to={`/guides/${name}` as never} hash={block.id} className={classes.link}>
                    {plainText(block.content)}
                  </Link>
                </li>
              ),
          )}
        </ul>
      </nav>
      <article className={classes.text}>
        <Blocks blocks={guide.blocks} pictures={guide.pictures} />
      </article>
    </div>
  )
}
