import { Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatBytes } from '../../../../web/kit/format.ts'
import { Failure } from '../../../../web/kit/states.tsx'
import { pictureLimitBytes, readPicture } from '../preview.ts'
import type { Item, Whose } from '../queries.ts'
import classes from './picture.module.css'

interface PictureProps {
  readonly whose: Whose
  readonly item: Pick<Item, 'path' | 'label' | 'size_bytes' | 'modified_at'>
}

/** A picture from the home, rendered as an image and never as a document. */
export function Picture({ whose, item }: PictureProps) {
  const isTooLarge = item.size_bytes > pictureLimitBytes
  const picture = useQuery({
    queryKey: ['picture', whose, item.path, item.modified_at],
    queryFn: ({ signal }) => readPicture(whose, item.path, signal),
    enabled: !isTooLarge,
    staleTime: 60_000,
    gcTime: 60_000,
  })
  const [size, setSize] = useState<string>()
  const [isBroken, setBroken] = useState(false)
  if (isTooLarge)
    return (
      <Text size="sm">
        Pictures above {formatBytes(pictureLimitBytes)} are not shown. Download it to look at it.
      </Text>
    )
  if (picture.error) return <Failure error={picture.error} />
  if (isBroken) return <Text size="sm">The browser cannot show this image.</Text>
  return (
    <figure className={classes.frame}>
      {picture.isPending && <Loader aria-label="Loading the image" />}
      {picture.data && (
        <img
          src={picture.data}
          alt={item.label}
          className={classes.picture}
          onLoad={({ currentTarget }) =>
            setSize(`${currentTarget.naturalWidth} × ${currentTarget.naturalHeight}`)
          }
          onError={() => setBroken(true)}
        />
      )}
      <figcaption className={classes.caption}>{size ?? ' '}</figcaption>
    </figure>
  )
}
