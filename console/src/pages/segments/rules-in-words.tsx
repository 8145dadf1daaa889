import { Code, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { nameOf, useSegments } from '../../api/all-of';
import { groupWords, type RuleNode, ruleWords } from '../../shared/segments/rule-words';

interface RulesInWordsProps {
  readonly match: unknown;
  readonly rules: readonly unknown[];
}

/** The rules of a segment, to be read. */
export function RulesInWords({ match, rules }: RulesInWordsProps): ReactNode {
  if (rules.length === 0) return <Text size="sm">It has no rules: everybody is in it.</Text>;
  return (
    <>
      <Text size="sm">Those for whom {groupWords({ match })} hold:</Text>
      <Nodes nodes={rules as readonly RuleNode[]} />
    </>
  );
}

function Nodes({ nodes }: { readonly nodes: readonly RuleNode[] }): ReactNode {
  const segments = useSegments().data;
  return (
    <List size="sm" withPadding>
      {nodes.map((node, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a rule is known by its place
        <List.Item key={index}>
          {'rules' in node ? (
            <>
              {groupWords(node)}:
              <Nodes nodes={node.rules} />
            </>
          ) : (
            <Code style={{ overflowWrap: 'anywhere' }}>{ruleWords(node, (id) => nameOf(segments, id))}</Code>
          )}
        </List.Item>
      ))}
    </List>
  );
}
