/** A piece of text; a string is plain. */
export type Inline =
  | string
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'emphasis' | 'strong'; readonly content: readonly Inline[] }
  | { readonly kind: 'link'; readonly target: LinkTarget; readonly content: readonly Inline[] }

/** Another guide or a heading in it, or a document outside the guides. */
export type LinkTarget = { readonly guide: string; readonly hash?: string } | { readonly href: string }

/** A part of a guide. */
export type Block =
  | {
      readonly kind: 'heading'
      readonly depth: number
      readonly id: string
      readonly content: readonly Inline[]
    }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'picture'; readonly file: string; readonly alt: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }
  | {
      readonly kind: 'table'
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }

/** A document of docs/guides, parsed when the panel is built: its text never becomes HTML. */
export interface Guide {
  readonly title: string
  readonly blocks: readonly Block[]
}

/** A guide with the URLs of its pictures by file name, as the web build exports it. */
export interface BuiltGuide extends Guide {
  readonly pictures: Readonly<Record<string, string>>
}

/** Returns the text without its marks. */
export const plainText = (content: readonly Inline[]): string =>
  content
    .map((each) => {
      if (typeof each === 'string') return each
      return each.kind === 'code' ? each.text : plainText(each.content)
    })
    .join('')
