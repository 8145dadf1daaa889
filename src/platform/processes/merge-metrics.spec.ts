import { mergeMetrics } from './merge-metrics';

const one = `# HELP a_total As
# TYPE a_total counter
a_total{process="1"} 3

# HELP b_seconds Bs
# TYPE b_seconds histogram
b_seconds_bucket{le="1",process="1"} 2
b_seconds_sum{process="1"} 0.5
`;
const two = `# HELP b_seconds Bs
# TYPE b_seconds histogram
b_seconds_bucket{le="1",process="2"} 4
b_seconds_sum{process="2"} 1.5

# HELP c Only here
# TYPE c gauge
c{process="2"} 1
`;

describe('mergeMetrics', () => {
  it('says each metric once, with the samples of all', () => {
    expect(mergeMetrics([one, two])).toBe(`# HELP a_total As
# TYPE a_total counter
a_total{process="1"} 3
# HELP b_seconds Bs
# TYPE b_seconds histogram
b_seconds_bucket{le="1",process="1"} 2
b_seconds_sum{process="1"} 0.5
b_seconds_bucket{le="1",process="2"} 4
b_seconds_sum{process="2"} 1.5
# HELP c Only here
# TYPE c gauge
c{process="2"} 1
`);
  });
});
