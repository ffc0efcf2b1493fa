module walk

go 1.19

require example.org/you/tawthiq v0.0.0

replace example.org/you/tawthiq => ./generated
