module verify

go 1.20
